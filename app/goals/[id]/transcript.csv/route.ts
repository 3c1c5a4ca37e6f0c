import { readSpeechAct } from '@parley/protocol'
import { getTranslations } from 'next-intl/server'
import { csvRow } from '../../../_views/injection-safe-csv-format.ts'
import { messageText } from '../../../_views/message-text.ts'
import { streamTranscriptDownload } from '../transcript/_audit/stream-transcript-download.ts'

export const dynamic = 'force-dynamic'

const columns = [
  'seq',
  'received_at',
  'sender',
  'sender_id',
  'state',
  'type',
  'meaning',
  'task_id',
  'to',
  'text',
  'files',
  'tx',
  'signed_by',
  'id',
]

/** One message per row. Values that a spreadsheet would run as formulas are escaped. */
export async function GET(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const { id } = await params
  const tAct = await getTranslations('views.speechAct')
  const tMessage = await getTranslations('views.message')
  return streamTranscriptDownload(request, id, {
    type: 'text/csv; charset=utf-8',
    ending: 'csv',
    head: csvRow(columns),
    line: (message, people) =>
      csvRow([
        message.seq,
        message.received_at,
        people.speakerOf(message.sender_id).name,
        message.sender_id,
        message.state,
        message.type,
        tAct(readSpeechAct(message.type)),
        message.task_id,
        message.to?.join(' '),
        messageText(message.parts, tMessage),
        message.parts.flatMap((part) => part.artifact?.name ?? []).join(' '),
        typeof message.payment?.tx === 'string' ? message.payment.tx : '',
        message.sig.kid,
        message.id,
      ]),
  })
}
