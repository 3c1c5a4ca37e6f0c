import { useTranslations } from 'next-intl'
import { MoneyAmount } from '../../../../_components/ui/money.tsx'
import { Table, Td, Th, Tr } from '../../../../_components/ui/table.tsx'
import { currentTask, payOf, type RunView } from '../run-view.ts'
import type { People } from '../to-run-view.ts'
import { StepChip } from './step-chip.tsx'
import { stepStatus } from './step-status.ts'

export function StepsTable({ view, people }: { view: RunView; people: People }) {
  const t = useTranslations('run.stepsTable')
  return (
    <Table caption={t('stepsOfPlan')} isStacked>
      <thead>
        <tr>
          <Th isNumber>{t('number')}</Th>
          <Th>{t('step')}</Th>
          <Th>{t('agent')}</Th>
          <Th>{t('needs')}</Th>
          <Th>{t('state')}</Th>
          <Th isNumber>{t('pay')}</Th>
        </tr>
      </thead>
      <tbody>
        {view.steps.map((step) => {
          const task = currentTask(view.tasks, step.step)
          return (
            <Tr key={step.step}>
              <Td isNumber className="max-md:hidden">
                {step.step}
              </Td>
              <Td className="md:min-w-44">
                <span className="md:hidden">{step.step}. </span>
                {step.title}
                <span className="block text-faint text-xs">
                  {step.skillId} · {step.mode === 'sync' ? t('sync') : t('async')}
                  {step.parent === null ? '' : ` · ${t('partOfStep', { parent: step.parent })}`}
                  {step.canceled ? ` · ${t('canceled')}` : ''}
                  {task && task.epoch > 1 ? ` · ${t('attempt', { epoch: task.epoch })}` : ''}
                </span>
                {task?.failure && <span className="block text-bad-ink text-xs">{task.failure}</span>}
              </Td>
              <Td className="whitespace-nowrap max-md:order-3">{people.nameOf(step.agentId)}</Td>
              <Td className="whitespace-nowrap max-md:order-5 max-md:col-span-2 max-md:text-faint max-md:text-xs">
                <span className="md:hidden">{t('needsLabel')} </span>
                {step.dependsOn.length > 0 ? step.dependsOn.join(', ') : t('nothing')}
              </Td>
              <Td className="max-md:order-4 max-md:text-right">
                <StepChip status={stepStatus(step, view.steps, view.tasks)} done={task?.done ?? null} />
              </Td>
              <Td isNumber className="max-md:order-2">
                <MoneyAmount amount={payOf(step)} />
                {payOf(step) !== step.amount && (
                  <span className="block text-faint text-xs">{t.rich('of', { money: () => <MoneyAmount amount={step.amount} /> })}</span>
                )}
              </Td>
            </Tr>
          )
        })}
      </tbody>
    </Table>
  )
}
