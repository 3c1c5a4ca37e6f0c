/** What Chinese phrases of requests mean in English. */
import { parsePhraseList } from './parse-phrase-list.ts'
import { rewriteChineseRequest } from './rewrite-chinese-request.ts'

const general = `
请 | 请帮我 | 帮我 | 帮忙 | 麻烦 | 谢谢 | 你好 | 您好 | 我想知道 | 我想 | 我需要 | 请问 | 一下 | 给我 | 吗 | 呢 | 吧 | 了 | 把 | 将 | 想 =
是多少 | 等于多少 | 等于几 | 是几 | 多少 | 有多少 = how much is
计算 | 算 | 求 | 算一下 = calculate
多少个 | 有多少个 | 几个 | 有几个 = how many
哪个 | 哪种 | 哪家 | 哪些 | 哪一个 = which
谁 = who
什么 = what
列出 | 显示 | 找出 = list
是 | 有 = is
的 = of
这个 | 这 | 这些 | 这段 | 该 = this
所有 | 全部 = all
不同的 | 不同 = different
每个 | 每 | 按 | 各 | 每家 | 每位 = per
和 | 与 | 以及 | 、 = and
在 = in
到 | 至 = to
从 = from
换算成 | 转换成 | 转换为 | 换成 | 转成 | 换算为 = convert to
最高 | 最大 | 最多 = highest
最低 | 最小 | 最少 = lowest
最贵 = most expensive
最便宜 = cheapest
卖得最多 | 卖的最多 = sold the most
销量最高 = highest sales
一个 | 一张 | 一份 | 一 =
大于 | 超过 | 高于 = more than
小于 | 低于 = less than
之间 | 之间有 =
`
/** What gives a reason or announces a file. */
const fillers = `
快点 | 快点帮我 | 请快点 | 快 | 尽快 | 赶快 | 快速 | 急 | 很急 | 拜托 | 多谢 | 非常感谢 | 感谢 | 谢谢你 | 谢谢您 | 是我的作业 | 这是我的作业 | 作业用 | 做作业用 | 用于作业 | 如果可以的话 | 如果可以 | 方便的话 =
见附件 | 文件见附件 | 表格见附件 | 名单见附件 | 列表见附件 | 请见附件 | 文件已附上 | 表格已附上 | 已附上 = the list is attached
平安夜 = Christmas Eve
圣诞节 | 圣诞 = Christmas Day
元旦 | 新年 = New Year's Day
复活节 = Easter Sunday
耶稣受难日 = Good Friday
万圣节 | 万圣夜 = Halloween
情人节 = Valentine's Day
下面的成绩单 | 下面的表格 | 下面的表 | 以下表格 | 以下的表格 | 下面的数据 | 下面的名单 | 这张表格 | 这张表 | 成绩单 | 下列表格 = table
从高到低 | 由高到低 | 从大到小 | 由大到小 | 降序 = highest first
从低到高 | 由低到高 | 从小到大 | 由小到大 | 升序 = lowest first
排序 | 排列 | 排个序 = sort
`
const sums = `
加 | 加上 = plus
减 | 减去 = minus
乘以 | 乘 = times
除以 = divided by
平方根 = square root
总金额 | 总价 | 总额 = total amount
总销售额 = total revenue
总数 = total
总和 | 合计 | 总计 | 总共 | 一共 | 总 = total
平均 | 平均值 | 平均数 | 的平均值 = average
平均分 = average
中位数 = median
数量 = quantity
增值税 = vat
折扣 = discount
`
const units = `
英里 = miles
公里 | 千米 = kilometres
米 = metres
厘米 = centimetres
毫米 = millimetres
英寸 = inches
英尺 = feet
盎司 = ounces
克 = grams
公斤 | 千克 = kilograms
磅 = pounds
吨 = tonnes
升 = litres
毫升 = millilitres
加仑 = gallons
摄氏度 = celsius
华氏度 = fahrenheit
小时 = hours
分钟 = minutes
秒 = seconds
天 = days
多少天 | 有多少天 | 几天 | 是多少天 | 相差多少天 | 相隔多少天 = how many days
星期几 | 周几 = which weekday
今天 = today
年 = year
年收入 | 年度收入 = annual revenue
微软 = Microsoft
苹果 = Apple
谷歌 = Google
亚马逊 = Amazon
特斯拉 = Tesla
英特尔 = Intel
英伟达 = Nvidia
奈飞 = Netflix
图表 = chart
报告 = report
并 = and
写 = write
`
const tables = `
表格 | 表 | 数据 = table
文件 = file
附件 | 附件里 = attachment
行 = rows
列 = column
价格 | 单价 = price
金额 = amount
数学 = maths
分数 | 成绩 = score
班 | 班级 = class
学生 = student
销售额 | 收入 = revenue
产品 | 商品 = product
客户 | 顾客 = customer
城市 = city
国家 = country
姓名 | 名字 = name
部门 = department
工资 = salary
商店 | 店 = store
类别 = category
订单 = orders
文本 | 文字 | 段文字 = text
语言 | 什么语言 = language
单词 = words
字数 | 统计字数 = word count
统计 = count
总结 | 概括 | 摘要 = summarise
关键词 = keywords
提取 = extract
电子邮件地址 | 邮箱 | 邮箱地址 | 电子邮箱 = email addresses
电话号码 = phone numbers
去重 | 删除重复 = remove duplicates
排序 = sort
二维码 = QR code
生成 | 画 | 制作 = make
柱状图 | 条形图 = bar chart
饼图 = pie chart
折线图 = line chart
`

/** Questions over tables, with limits and remarks. */
const tableQuestions = `
附件是 | 附件里是 | 这是 | 附件中是 = this is
网店的订单 | 网店订单 = online orders
一共花了多少钱 | 总共花了多少钱 | 花了多少钱 | 一共消费多少 | 共消费了多少 | 一共花了多少 = total amount spent
卖了多少钱 | 一共卖了多少钱 | 总共卖了多少钱 = total revenue
卖得最多的是 | 卖得最多的 | 卖的最多的是 | 销量最高的是 | 销量最好的是 = sold the most is
取消的订单 | 已取消的订单 | 取消订单 | 取消的 = cancelled orders
退款的订单 | 退款订单 | 退款的 = refunded orders
不算 | 不计 | 不计入 | 不要算 | 不要计算 | 不算在内 | 不包括 | 不要算进去 | 除外 | 不统计 = do not count
忽略 | 跳过 | 排除 | 去掉 | 请忽略 = ignore
不要算进平均 | 不算进平均 | 不计入平均 | 不要算进平均分 | 不计入平均分 | 不要算入平均 = do not count in the average
再告诉我 | 另外告诉我 | 告诉我 | 顺便告诉我 | 另外 | 还有 | 还要 | 再 | 以及 | 同时 = and
几个人 | 几个人没有 | 多少人 = how many people
几个学生 | 多少学生 | 多少个学生 = how many students
几个人没有 | 有几个人没有 | 多少人没有 | 多少人缺 = how many people have no
没有 | 没 | 缺少 | 缺 = no
缺考或者空着的 | 缺考或空着的 | 缺考或空白的 | 空着或缺考的 | 缺考的 | 空着的 | 空白的 | 空的 | 缺考的和空着的 | 缺考和空白的 | 没填的 = absent or empty ones
或者 | 或 = or
数学成绩 = maths
语文成绩 | 语文 = chinese
英语成绩 | 英语 = english
最后一行是合计 | 最后一行是总计 | 最后一行是总和 = the last row is the total
最后一行 = the last row
合计行 | 总计行 = the total row
按数量 = by quantity
按金额 = by amount
按销售额 = by revenue
画一个柱状图 | 画一张柱状图 | 画柱状图 | 做一个柱状图 | 做个柱状图 = bar chart of
每个月 | 每月 | 按月 | 各月 = per month
月份 | 月 = month
一月 | 1月 = January
二月 | 2月 = February
三月 | 3月 = March
四月 | 4月 = April
五月 | 5月 = May
六月 | 6月 = June
七月 | 7月 = July
八月 | 8月 = August
九月 | 9月 = September
十月 | 10月 = October
十一月 | 11月 = November
十二月 | 12月 = December
支出 | 花费 | 开销 = spending
平均成绩 = average score
考得最好 | 最好 = best
考得最差 | 最差 = worst
人 = people
钱 = money
`

export const chineseToEnglishPhrases = parsePhraseList([general, fillers, sums, units, tables, tableQuestions].join('\n'), {
  isSpaced: false,
  rewrite: rewriteChineseRequest,
  orders: [
    [/^(\d[\d.,]*) (?:of )?square root(?: (?:is )?how much is)?\??$/i, 'what is the square root of $1'],
    [/^(.+?) convert to (.+?)\.?$/i, 'convert $1 to $2'],
    [/^(.+?)(?: how much is|how much is) (\p{L}+)\??$/iu, 'how many $2 is $1'],
    [/^(?:from )?(\d.+?) (?:to|and) (\d.+?) (?:is )?how many days\??$/i, 'how many days are there between $1 and $2'],
    [/^(.+?) (?:is )?which weekday\??$/i, 'which weekday is $1'],
    [/^(.+?) how much is\??$/i, 'what is $1'],
    [/^calculate ([\d., ]+?) (?:of )?(average|median|total)\.?$/i, 'what is the $2 of $1'],
    [/^(?:the )?table per (\S+) (highest|lowest) first sort\.?$/i, 'sort the table by $1, $2 first'],
    [/^which (.+?) of (.+?) (highest|lowest)\??$/i, 'which $1 has the $3 $2'],
    [/^per ([^.?!,]+?) of (?:total )?(?!average|median)([^.?!,]+?)$/i, 'total $2 per $1'],
  ],
})
