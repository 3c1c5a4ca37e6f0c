/** Whole Chinese requests that phrases cannot order, in English. */

const digits = '一二三四五六七八九'

/** `三` and `十五` as digits; undefined for other words. */
function numberOf(text: string): string | undefined {
  if (/^\d+$/.test(text)) return text
  const match = /^([一二三四五六七八九]?)(十?)([一二三四五六七八九]?)$/.exec(text)
  const [, first = '', ten = '', last = ''] = match ?? []
  if (!match || (ten === '' && last !== '')) return undefined
  const valueOfDigit = (digit: string): number => (digit === '' ? 0 : digits.indexOf(digit) + 1)
  return String(ten === '' ? valueOfDigit(first) : 10 * (first === '' ? 1 : valueOfDigit(first)) + valueOfDigit(last))
}

const mark = '[，,。；;\\s]*'
const savings = new RegExp(
  `^(?:如果|假如)?(?:我|我们)?(?:想|要|准备|打算)?(?:在银行)?(?:里)?(?:存入?|存了|投资|投入)${mark}(\\d[\\d,]*(?:\\.\\d+)?)(万)?(?:元|块钱?|人民币)${mark}(?:到银行)?${mark}(?:年利率|年化利率|年息)(?:为|是)?(\\d+(?:\\.\\d+)?)[%％]${mark}(每年复利一?次?|按年复利|复利按年计算|每月复利一?次?|按月复利)${mark}(?:存期?|定期|一共存)?([一二三四五六七八九十\\d]{1,3})年${mark}(?:后|期满|到期|到期后|期满后)?${mark}(?:本息)?(?:一共|总共|共)?(?:能|可以|会)?(?:拿到?|取到?|取出|得到?|有|是)(?:回)?多少(?:钱|元)?[？?。]?$`,
)
const bodyMass = new RegExp(
  `^(?:我的?|本人)?身高(?:是|为)?(\\d+(?:\\.\\d+)?)(厘米|公分|cm|米|m)${mark}体重(?:是|为)?(\\d+(?:\\.\\d+)?)(公斤|千克|kg|斤)${mark}(?:请问|求|算一下)?(?:我的)?(?:BMI|bmi|体质指数|身体质量指数)(?:指数)?(?:是|为|等于)?(?:多少|几)?[？?。]?$`,
)

/** Savings with compound interest, and the body mass index. */
export function rewriteChineseRequest(request: string): string | undefined {
  const text = request.trim().replace(/^(?:请问|请帮我|帮我|请|你好|您好)[，,\s]*/, '')
  const saved = savings.exec(text)
  const years = saved && numberOf(saved[5] ?? '')
  if (saved && years) {
    const [, amount = '', tenThousand, rate, often = ''] = saved
    const value = tenThousand === undefined ? amount : String(Number(amount.replaceAll(',', '')) * 10_000)
    const compounded = often.includes('月') ? 'monthly' : 'yearly'
    return `I invest ${value} 元 at ${rate}% interest a year, compounded ${compounded}, for ${years} years. How much do I get at the end?`
  }
  const [, height, unit = '', weight, weightUnit] = bodyMass.exec(text) ?? []
  if (height === undefined || weight === undefined) return undefined
  const metres = unit === '米' || unit === 'm' ? height : String(Number(height) / 100)
  const kilograms = weightUnit === '斤' ? String(Number(weight) / 2) : weight
  return `what is ${kilograms} / ${metres}^2`
}
