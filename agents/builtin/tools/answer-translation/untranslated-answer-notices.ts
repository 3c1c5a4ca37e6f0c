/** What a client reads where an answer stays in English. */
import type { InEachLanguage } from './answer-languages.ts'

export const untranslatedAnswerNotices: {
  readonly [kind in 'english' | 'remark' | 'file' | 'chart' | 'refused' | 'question']: InEachLanguage
} = {
  /** Before an answer of which a sentence fits no template. */
  english: {
    de: 'Diese Antwort ist auf Englisch, weil für sie keine Übersetzung bereitsteht.',
    fr: "Cette réponse est en anglais, car aucune traduction n'est disponible pour elle.",
    es: 'Esta respuesta está en inglés, porque no hay traducción disponible para ella.',
    zh: '此答案没有现成的译文，因此以英文给出。',
  },

  /** Before sentences at the end of an answer that fit no template. */
  remark: {
    de: 'Anmerkung auf Englisch:',
    fr: 'Remarque en anglais\u00A0:',
    es: 'Nota en inglés:',
    zh: '备注（英文）：',
  },

  /** After an answer whose file fits no templates. */
  file: {
    de: 'Die Datei ist auf Englisch, weil für sie keine Übersetzung bereitsteht.',
    fr: "Le fichier est en anglais, car aucune traduction n'est disponible pour lui.",
    es: 'El archivo está en inglés, porque no hay traducción disponible para él.',
    zh: '该文件没有现成的译文，因此为英文。',
  },

  /** After an answer with a chart, whose title names what it shows. */
  chart: {
    de: 'Die Beschriftung des Diagramms ist auf Englisch.',
    fr: 'Les légendes du diagramme sont en anglais.',
    es: 'Los rótulos del gráfico están en inglés.',
    zh: '图表中的标注为英文。',
  },

  /** Before a reason why there is no answer. */
  refused: {
    de: 'Es gibt keine Antwort. Der Grund auf Englisch:',
    fr: 'Il n’y a pas de réponse. La raison, en anglais :',
    es: 'No hay respuesta. El motivo, en inglés:',
    zh: '没有答案。原因（英文）：',
  },

  /** The heading of a question in a file with answers. */
  question: { de: 'Frage', fr: 'Question', es: 'Pregunta', zh: '问题' },
}
