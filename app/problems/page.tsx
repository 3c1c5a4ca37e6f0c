import { type ProblemCode, problems } from '@parley/protocol'
import type { Metadata } from 'next'
import { useTranslations } from 'next-intl'
import { getTranslations } from 'next-intl/server'
import { Link } from '../_components/ui/link.tsx'
import { PageHead } from '../_components/ui/section.tsx'
import { Table, Td, Th, Tr } from '../_components/ui/table.tsx'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('problems.problemsPage')
  return { title: t('errorCodes') }
}

export default function ProblemsPage() {
  const t = useTranslations('problems.problemsPage')
  const tRetry = useTranslations('problems.retry')
  const tCode = useTranslations('problems.explanations')
  return (
    <>
      <PageHead title={t('errorCodes')} lead={t('everyRefusalCarriesOneOfThese')} />
      <Table caption={t('errorCodes')} isStacked>
        <thead>
          <Tr>
            <Th>{t('code')}</Th>
            <Th isNumber>{t('status')}</Th>
            <Th>{t('again')}</Th>
            <Th>{t('meaning')}</Th>
          </Tr>
        </thead>
        <tbody>
          {(Object.keys(problems) as ProblemCode[]).map((code) => (
            <Tr key={code}>
              <Td>
                <Link href={`/problems/${code}`} className="figures text-link whitespace-nowrap">
                  {code}
                </Link>
              </Td>
              <Td isNumber>{problems[code].status}</Td>
              <Td
                data-label={`${t('againLabel')} `}
                className="whitespace-nowrap max-md:order-4 max-md:col-span-2 max-md:text-muted max-md:before:content-[attr(data-label)]"
              >
                {tRetry(problems[code].retry)}
              </Td>
              <Td className="md:min-w-64 max-md:order-3 max-md:col-span-2">{tCode(`${code}.meaning`)}</Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </>
  )
}
