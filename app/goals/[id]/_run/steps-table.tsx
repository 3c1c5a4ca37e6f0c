import { Money } from '../../../_components/ui/money.tsx'
import { Table, Td, Th, Tr } from '../../../_components/ui/table.tsx'
import { currentTask, type RunView } from '../../../_views/run.ts'
import { stepStatus } from '../../../_views/step-status.ts'
import type { People } from '../../../_views/to-run-view.ts'
import { StepChip } from './step-chip.tsx'

export function StepsTable({ view, people }: { view: RunView; people: People }) {
  return (
    <Table caption="Steps of the plan">
      <thead>
        <tr>
          <Th isNumber>No.</Th>
          <Th>Step</Th>
          <Th>Agent</Th>
          <Th>Needs</Th>
          <Th>State</Th>
          <Th isNumber>Pay</Th>
        </tr>
      </thead>
      <tbody>
        {view.steps.map((step) => {
          const task = currentTask(view.tasks, step.step)
          return (
            <Tr key={step.step}>
              <Td isNumber>{step.step}</Td>
              <Td className="min-w-44">
                {step.title}
                <span className="block text-faint text-xs">
                  {step.skillId} · {step.mode === 'sync' ? 'the room waits' : 'in parallel'}
                  {task && task.epoch > 1 ? ` · ${ordinal(task.epoch)} try` : ''}
                </span>
                {task?.failure && <span className="block text-bad-ink text-xs">{task.failure}</span>}
              </Td>
              <Td className="whitespace-nowrap">{people.nameOf(step.agentId)}</Td>
              <Td className="whitespace-nowrap">{step.dependsOn.length > 0 ? step.dependsOn.join(', ') : 'nothing'}</Td>
              <Td>
                <StepChip status={stepStatus(step, view.steps, view.tasks)} done={task?.done ?? null} />
              </Td>
              <Td isNumber>
                <Money amount={step.amount} />
              </Td>
            </Tr>
          )
        })}
      </tbody>
    </Table>
  )
}

function ordinal(n: number): string {
  return n === 2 ? 'second' : n === 3 ? 'third' : `${n}th`
}
