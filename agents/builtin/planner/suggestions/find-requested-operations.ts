/** The operations that the words of a goal request, such as `total` or `hide`, by words of five languages. */
import { foldCaseAndAccents, plainPattern } from './fold-case-and-accents.ts'

export type RequestedOperation =
  | 'total'
  | 'average'
  | 'median'
  | 'mode'
  | 'range'
  | 'deviation'
  | 'maximum'
  | 'minimum'
  | 'count'
  | 'list'
  | 'missing'
  | 'duplicates'
  | 'consumption'
  | 'correlation'
  | 'slope'
  | 'chart'
  | 'line_chart'
  | 'pie_chart'
  | 'share'
  | 'order'
  | 'alphabet'
  | 'unmatched'
  | 'compare'
  | 'overview'
  | 'hide'
  | 'extract'
  | 'summary'
  | 'keywords'
  | 'readability'
  | 'language'
  | 'words'
  | 'explain'
  | 'convert'
  | 'format'
  | 'report'

/** One pattern for each operation: English, then German, French, Spanish and Chinese. A pattern starts and ends at a letter's border. */
const phrases: { readonly [operation in RequestedOperation]: string } = {
  total:
    'totals?|sum(?:med|s)?(?: up)?|add(?:ed|ing)?(?: (?:it|them|these|this|all|everything|up|together)){1,3}|add up|altogether|together|overall|(?:what|how much) (?:\\p{L}+ ){1,4}(?:got|get|gets|receives?|received)|in all|all in all|combined|grand total|how much (?:\\p{L}+ ){0,2}money|how much (?:(?:did|do|does|have|has|had) )?(?:(?:each|every|we|i|they|he|she|it|the|our|my|all|one|\\p{L}+) ){0,3}(?:spen[dt]|earn(?:ed)?|ma[dk]e|took|take|paid|pay|sold|sell|cost|raised|brought in|bring in|owed?|used?|drunk|ate)|what (?:did )?(?:we|i|they|each \\p{L}+) (?:took|take|spen[dt]|made|make|sold|paid|earned)|brought in|bring in|(?:what|how much) (?:came|comes|went) (?:in|out)|(?:came|comes) in|worth|takings|spent|tot up|tally up' +
    '|summen?|summier\\p{L}*|gesamt\\p{L}*|insgesamt|zusammen(?:zähl\\p{L}*|rechn\\p{L}*|gezählt|gerechnet)?|zähl\\p{L}* .{0,40} zusammen|rechn\\p{L}* .{0,40} zusammen|addier\\p{L}*|alles in allem|wie ?viel geld|wie ?viel [^.?!]{0,60}?(?:reingekommen|eingegangen|eingenommen|zusammengekommen|ausgegeben)|wie ?viel (?:\\p{L}+ ){0,3}(?:da|drin|zusammengekommen|eingegangen|eingenommen|reingekommen)|value of (?:all|the|my|our|every)\\p{L}*|what it (?:all )?comes to|comes to (?:altogether|in all)' +
    '|sommes?|rapporté\\p{L}*|combien d.argent|totaux|totale|la valeur de (?:tou[ts]\\p{L}*|l)|additionn\\p{L}*|cumul\\p{L}*|en tout|au total|combien .{0,40}(?:dois|doit|devons|rembours\\p{L}*|dépensé|gagné|vendu|payé|coûté|rapporté|encaissé|touché)(?:e?s)?' +
    '|suma\\p{L}*|súma\\p{L}*|cuánto dinero|total(?:es|iza)?|en total|cuánto .{0,40}(?:gast|vend|gan|pag|cuest|ingres)\\p{L}*' +
    '|总(?:额|数|和|计|共)?|合计|一共|共计|加起来|汇总',
  average:
    'averages?|avg|(?<!(?<![a-z])(?:i|you|we|they|it|he|she|really|to|does|not|that|this) )mean|means(?= (?:of|for|per|and|by))|on average|typical(?:ly)?' +
    '|durchschnitt\\p{L}*|im schnitt|schnitt|mittelwerte?|mittel|moyennes?|en moyenne|promedios?|medias?|por término medio|平均(?:值|分|数)?|人均|均价',
  median: 'medians?|meadian|middle (?:value|one|number)|zentralwert|médianes?|medianas?|中位数|中值',
  mode: 'mode|modes|modal(?:wert)?|modus|moda|众数|most common (?:value|number)',
  range: 'range|spannweite|étendue|rango|amplitude|极差|全距',
  deviation:
    'standard deviations?|stand[ae]rd deviation|std\\.? ?dev\\p{L}*|stdev|s\\.?d\\.?|spread|standardabweichung\\p{L}*|écarts?[ -]types?|desviaci[oó]n(?:es)?(?: (?:est[aá]ndar|t[ií]pica))?|标准差',
  maximum:
    'most|highest|biggest|largest|best|greatest|top|max(?:imum)?|longest|dearest|most expensive|busiest|keenest|slowest|peak|record|worst' +
    '|am meisten|meisten?|meist|höchst\\p{L}*|größt\\p{L}*|beste\\p{L}?|maximum|maximal\\p{L}*|teuerst\\p{L}*|längst\\p{L}*' +
    '|le plus|la plus|les plus|plus (?:grand|haut|élevé|fort|gros|cher|long)\\p{L}*|meilleure?s?|maximale?s?|máxim\\p{L}*|mejor(?:es)?|mayor(?:es)?|más (?:alt|grande|car|larg|vendid)\\p{L}*|más|最(?:多|高|大|好|贵|长)',
  minimum:
    'least|lowest|smallest|fewest|cheapest|shortest|quickest|fastest|min(?:imum)?|weakest' +
    '|am wenigsten|wenigsten?|niedrigst\\p{L}*|kleinst\\p{L}*|geringst\\p{L}*|günstigst\\p{L}*|billigst\\p{L}*|schlechtest\\p{L}*|minimal\\p{L}*' +
    '|le moins|la moins|les moins|plus (?:petit|bas|faible|court)\\p{L}*|minimale?s?|mínim\\p{L}*|menor(?:es)?|peor(?:es)?|más (?:baj|pequeñ|barat|cort)\\p{L}*|menos|最(?:少|低|小|差|便宜|短)',
  count:
    'how many|how often|number of|count(?:s|ed|ing)?(?! (?:them|it) as)|tally|no\\. of|times' +
    '|wie ?viele?(?: mal)?|wie oft|anzahl|zähl\\p{L}*|gezählt|häufigkeit\\p{L}*' +
    '|combien|nombre|compte[rz]?|compt[ée]s?|cuánt[ao]s|cuantas|cuantos|cuántas veces|número|contar|cuenta|cuéntame' +
    '|几(?:个|人|次|条|笔|天)|多少(?:个|人|次|条|笔|天)?|数量|人数|次数|个数|统计',
  list:
    'lists?|show(?: me)?|(?:i )?need (?:the|all|a list)|which|who|whom|anyone|anybody|everyone|those|names? of|give me|pick out|find' +
    '|liste\\p{L}*|zeig\\p{L}*|welche\\p{L}?|wer|nenn\\p{L}*|such\\p{L}*|liste[rz]?|quel(?:le)?s?|qui|montre[rz]?|donne[rz]?|trouve[rz]?|lista|listar|muestra|qué|que|quién(?:es)?|cuál(?:es)?|dime|哪(?:些|个|位|家|几)?|谁|列出|找出|有谁',
  missing:
    "missing|blanks?|empty|(?:nothing|no entry|no value|no amount) (?:\\p{L}+ ){0,3}(?:in|for|under|next to|beside|behind|filled)|lacks?|lacking|without|has no|have no|hasn['’]?t|haven['’]?t|no \\p{L}+ (?:given|entered|recorded|filled)|gaps?|unfilled|not filled(?: in)?|didn['’]?t fill|incomplete" +
    '|fehl\\p{L}*|leere?\\p{L}?|ohne|keine?n?|lücken\\p{L}*|nichts (?:drin|eingetragen|steht|drinsteht|angegeben)\\p{L}*|nix (?:drin|eingetragen|steht|drinsteht)\\p{L}*|rien (?:\\p{L}+ )?(?:dans|mis|inscrit|noté|indiqué)|no (?:hay|pone|figura) nada|nada (?:puesto|apuntado|escrito)|manqu\\p{L}*|vides?|sans|aucune?|falt\\p{L}*|vací\\p{L}*|sin|en blanco|缺\\p{L}?|空(?:白|着)?|没有|缺失',
  duplicates:
    'duplicates?|duplicat\\p{L}*|doubles?|doubled|doubl(?:e)? entries|repeat(?:s|ed)?|repetitions?|dupes?|dups|twice|more than once|several times|each (?:\\p{L}+ ){0,2}(?:only )?once|only once|just once|unique|distinct|de-?dupe?\\p{L}*|no repeats' +
    '|doppelt\\p{L}*|je(?:de[rs]?|weils)? (?:\\p{L}+ )?(?:nur )?einmal|no (?:doubles|repeats)|once each|once only|just the once|keine? doppelt\\p{L}*|chacune? (?:une|qu.une) (?:seule )?fois|sin repetir\\p{L}*|cada un[oa] (?:solo )?una vez|una vez cada un[oa]|每个(?:只|一)\\S{0,3}次|chacun une fois|una vez cada|dublett\\p{L}*|duplikat\\p{L}*|mehrfach|zweimal|nur einmal|einmalig|doublons?|en double|une seule fois|répét\\p{L}*|duplicad[oa]s?|repetid[oa]s?|una sola vez|dos veces|重复|去重|不重复',
  consumption:
    '(?:was |we |i |is )?used|usage|how far|drove|driven|travelled|gefahren|parcouru\\p{L}*|recorri\\p{L}*|consumption|consumed|differences? (?:between|from)|from one (?:\\p{L}+ )?to the next|change from|month[- ]on[- ]month|not the (?:meter|odometer) (?:numbers?|readings?)|increase(?:s|d)?|go(?:es)? up|went up|grew|rise|rose|between readings' +
    '|verbrauch\\p{L}*|differenz\\p{L}*|zuwachs|veränderung\\p{L}*|zählerst\\p{L}*|consomm\\p{L}*|différences?|relevés?|consum\\p{L}*|diferencias?|lecturas?|用(?:了|量|电量)|差(?:额|值)|增加',
  correlation:
    'correlat\\p{L}*|related|relation(?:ship)?|connection|linked|link between|link|tied to|the (?:more|less|colder|hotter|warmer|longer|bigger|older|higher)|depends?|has to do with|goes? with|korrel\\p{L}*|zusammenhang|hängt|zusammenhäng\\p{L}*|abhäng\\p{L}*|corrél\\p{L}*|lien|correlaci[oó]n\\p{L}*|relación|depende|相关(?:性|系数)?|关系|有关',
  slope:
    'how (?:many|much) (?:more|less|fewer) (?:\\p{L}+ ){0,3}(?:per|for each|for every|each|with each|with every)|per (?:extra|additional)|for each (?:extra|additional)|slope|trend ?line|regression|pro (?:zusätzlich\\p{L}*|weiter\\p{L}*)|je (?:zusätzlich\\p{L}*|grad)|de plus par|en plus par|más por cada|más por|每(?:增加|多|升高)',
  chart:
    'charts?|graphs?|plots?|plotted|diagrams?|bar charts?|bars|draw|visuali\\p{L}*|picture of|dessin\\p{L}*|zeichn\\p{L}*|balken\\p{L}*|säulen|barres|dibuj\\p{L}*|balkendiagramm\\p{L}*|säulendiagramm\\p{L}*|diagramm\\p{L}*|grafik\\p{L}*|schaubild\\p{L}*|graphiques?|courbes?|histogrammes?|gráfic[oa]s?|barras|图(?:表)?|柱状图|条形图|折线图|饼图',
  line_chart:
    'line (?:chart|graph|plot|diagram)s?|curve|over time|liniendiagramm\\p{L}*|kurve|courbes?|graphique en ligne|gráfico de líneas|líneas|折线图|曲线',
  pie_chart: 'pie(?: chart)?s?|tortendiagramm\\p{L}*|kreisdiagramm\\p{L}*|camembert|gráfico circular|de tarta|饼图',
  share:
    'shares?|percent(?:age)?s?|proportions?|what part|anteile?|prozent\\p{L}*|prozentual\\p{L}*|parts?|pourcentages?|proporci[oó]n|porcentajes?|百分比|占比|比例|占',
  order:
    'sort(?:ed)?|order(?:ed)?(?: by)?|in (?:the )?(?:right |correct )?order|(?:quickest|fastest|slowest|highest|lowest|biggest|largest|smallest|best|worst|cheapest|dearest|most|least|oldest|newest)(?: \\p{L}+)? first|rank(?:ed|ing)?|highest first|biggest first|largest first|slowest first|lowest first|descending|ascending|from (?:high|low|most|least|best)\\p{L}*' +
    '|sortier\\p{L}*|ordne\\p{L}*|geordnet|absteigend|aufsteigend|rangliste|(?:größte|höchste|kleinste|niedrigste)\\p{L}? zuerst|trier|trié\\p{L}*|trie[rz]?|classer|classez|classement|décroissant|croissant|orden\\p{L}*|clasific\\p{L}*|de mayor a menor|de menor a mayor|排(?:序|名|列)?|从高到低|从低到高|从大到小',
  alphabet: 'alphabet\\p{L}*|a to z|a-z|abc|by name|alphabétique\\p{L}*|alfabétic\\p{L}*|字母(?:顺序)?|拼音',
  unmatched:
    "unmatched|no match|without (?:a |any )?(?:match|order|payment|booking|\\p{L}+)|not in|missing from|not (?:yet )?paid|has(?:n['’]?t| not) (?:yet )?(?:paid|\\p{L}+ed)|have(?:n['’]?t| not)|didn['’]?t (?:pay|\\p{L}+)|unpaid|outstanding|only (?:on|in) (?:the|one)|belong to (?:any|no)\\p{L}*|short|match(?:es|ed|ing)?|reconcil\\p{L}*" +
    '|fehl\\p{L}*|nicht bezahlt|unbezahlt|offen\\p{L}?|abgleich\\p{L}*|abgeglichen|nicht in|ohne|impayé\\p{L}*|pas (?:encore )?payé|rapproch\\p{L}*|sans|absents?|impagad\\p{L}*|no (?:ha|han) pagado|pendientes?|falt\\p{L}*|sin|cotej\\p{L}*|没(?:有)?(?:付|交|缴)\\p{L}?|未(?:付|交|缴)\\p{L}?|对账|核对|缺',
  compare:
    "compar\\p{L}*|differences?|differ|different|changed?|changes|what(?:[’']s| is) new|old (?:one|version)|new (?:one|version)|versions?|vergleich\\p{L}*|verglichen|unterschied\\p{L}*|geändert|änderung\\p{L}*|différences?|changé|changements?|modifi\\p{L}*|diferencias?|cambi\\p{L}*|compár\\p{L}*|比较|对比|区别|不同|改(?:了|动)|变化",
  overview:
    'overview|summary statistics|statistics|stats|describe|key figures|profile|überblick|übersicht|statistik\\p{L}*|kennzahlen|statistiques?|aperçu|estadísticas?|resumen estadístico|统计|概况|概览',
  hide:
    'redact\\p{L}*|hide|hidden|(?:black|blank|cross|white)(?:ed|ing)? (?:\\p{L}+ ){0,4}out|(?:black|blank)(?:ed|ing)? (?:\\p{L}+-?\\p{L}* ){1,8}out|mask(?:ed)?|anonymi[sz]\\p{L}*|remove|take (?:\\p{L}+ ){0,6}out|leave (?:them|those|these|it) out|(?:nobody|no one|noone) (?:should|must|may|can) (?:see|read)|not be (?:seen|visible|readable)|strip(?: out)?|censor\\p{L}*|cross out|scrub|replace|get rid of|obscure|delete|cover up|x out|gone|off it|out of it' +
    '|schwärz\\p{L}*|geschwärzt|unkenntlich|anonymisier\\p{L}*|entfern\\p{L}*|raus(?:nehmen|streichen)?|verbergen|maskier\\p{L}*|lösch\\p{L}*|streich\\p{L}*|masqu\\p{L}*|cach\\p{L}*|anonymis\\p{L}*|supprim\\p{L}*|noirci\\p{L}*|caviard\\p{L}*|enlev\\p{L}*|retir\\p{L}*|ocult\\p{L}*|tach\\p{L}*|anonimiz\\p{L}*|quita\\p{L}*|borra\\p{L}*|elimin\\p{L}*|tapa\\p{L}*|censur\\p{L}*|删(?:除|掉)?|去掉|隐藏|遮(?:盖|住|掉)?|打码|匿名|屏蔽|抹掉',
  extract:
    'extract\\p{L}*|pull(?: out)?|pick out|fish(?:ed)? (?:\\p{L}+ ){0,5}out|(?:get|dig|take|copy|write) (?:\\p{L}+ ){0,5}out|round up|gather|get (?:me )?(?:all )?|list|find|collect|grab|all (?:the|of the)|only the|just the|only|which|what' +
    '|extrahier\\p{L}*|zieh\\p{L}*|heraus\\p{L}*|raus\\p{L}*|fisch\\p{L}*|abschreib\\p{L}*|sammel\\p{L}*|hol(?:e|en|t|st)?|such\\p{L}*|alle|nur|liste\\p{L}*|extrai\\p{L}*|sor[st]|relev\\p{L}*|récupér\\p{L}*|sortir|sortez|ressor\\p{L}*|ramass\\p{L}*|rassembl\\p{L}*|tou(?:s|tes) les|liste\\p{L}*|sac(?:a|ar|ame|ame)\\p{L}*|extra[eé]\\p{L}*|tod[oa]s l[oa]s|lista\\p{L}*|saca\\p{L}*|rescat\\p{L}*|reco[gp]\\p{L}*|junta\\p{L}*|提取|整理出|摘出|挑出|找出|列出|所有|全部|抽取',
  summary:
    'summar\\p{L}*|sum (?:it|this|that) up|shorten\\p{L}*|short version|boil(?:ed)? down|condense\\p{L}*|gist|key points|main points|tl;?dr|(?:in|into|down to|to|only) (?:a few|two|three|four|five|\\d+) sentences?|the important (?:bits|parts|points)' +
    "|zusammenfass\\p{L}*|zusammengefasst|fass\\p{L}*|kurzfassung|kürz\\p{L}*|eindampf\\p{L}*|das wichtigste|résum\\p{L}*|en bref|l[’']essentiel|synthèse|raccourci\\p{L}*|resum\\p{L}*|resúm\\p{L}*|lo más importante|acorta\\p{L}*|总结|摘要|概括|概述|缩短|要点",
  keywords:
    'key ?words?|key terms|tags|topics|stichw[oö]rt\\p{L}*|schlagw[oö]rt\\p{L}*|schlüsselw[oö]rt\\p{L}*|mots?[ -]clés?|palabras clave|关键词|关键字',
  readability:
    'readab\\p{L}*|easy to read|hard to read|how (?:hard|easy|difficult) (?:is )?(?:it )?(?:is )?to (?:read|understand)|reading (?:level|age|ease)|too (?:hard|difficult|complicated)|understand(?:able)?|school year|grade level|lesbar\\p{L}*|verständlich\\p{L}*|leicht zu lesen|zu schwer|lisib\\p{L}*|facile à lire|legib\\p{L}*|fácil de leer|可读性|易读|难懂',
  language:
    '(?:what|which) language|language (?:is|it)|welche sprache|sprache|quelle langue|langue|qué idioma|idioma|什么语言|哪种语言|语言',
  words:
    'words?|word ?count|characters|how long|wörter|worte|zeichen(?:zahl)?|wie lang|mots|caractères|signes|palabras|caracteres|字数|多少字|几个字|单词',
  explain:
    "explain|what does .{0,40} (?:mean|do)|meaning|when (?:does|will|is|do)|how often|does (?:it|this|that)|only (?:run|on)|runs?|erklär\\p{L}*|bedeut\\p{L}*|wann|läuft|heißt|expliqu\\p{L}*|signifie|quand|tourne|s[’']exécute|explic\\p{L}*|significa|cuándo|ejecuta|corre|解释|什么意思|什么时候|运行|执行",
  convert:
    'convert\\p{L}*|turn\\p{L}* .{0,60} into|into|change .{0,40} (?:to|into)|as (?:an? )?(?:html|json|yaml|csv|markdown|table|xml)|in (?:html|json|yaml|csv|markdown)|to (?:html|json|yaml|csv|markdown|md)|export\\p{L}*|make (?:it|this) (?:an? )?(?:html|json|yaml|csv|markdown)' +
    '|umwand\\p{L}*|wandl\\p{L}*|umgewandelt|konvertier\\p{L}*|umrechn\\p{L}*|als (?:html|json|yaml|csv|markdown|tabelle)|nach (?:html|json|yaml|csv|markdown)|in (?:html|json|yaml|csv|markdown)|mach\\p{L}* .{0,40} (?:html|json|yaml|csv)|convert\\p{L}*|transform\\p{L}*|en (?:html|json|yaml|csv|markdown)|mets?|pás\\p{L}*|pasa\\p{L}*|conviert\\p{L}*|transforma\\p{L}*|a (?:html|json|yaml|csv|markdown)|转(?:换|成|为)?|改成|变成|换算',
  format:
    "format\\p{L}*|pretty[- ]?print\\p{L}*|indent\\p{L}*|tidy|beautif\\p{L}*|fix(?:ed)?|repair\\p{L}*|broken|valid(?:ate)?|won[’']?t (?:load|parse|open)|doesn[’']?t (?:load|parse)|what[’']?s wrong|error|check\\p{L}*|clean(?:ed)?(?: up)?" +
    '|formatier\\p{L}*|einrück\\p{L}*|reparier\\p{L}*|kaputt|gültig|prüf\\p{L}*|fehler\\p{L}*|aufräum\\p{L}*|indent\\p{L}*|répar\\p{L}*|valide\\p{L}*|vérifi\\p{L}*|erreurs?|cass[ée]|formatea\\p{L}*|arregl\\p{L}*|válid\\p{L}*|comprueb\\p{L}*|errores|格式化|修复|修好|检查|校验|缩进|错误',
  report:
    'reports?|trends?|analy[sz]\\p{L}*|growth|grow\\p{L}*|bericht\\p{L}*|entwicklung|wachstum|rapports?|tendances?|croissance|informes?|tendencias?|crecimiento|报告|趋势|增长|分析',
}

const patterns = Object.entries(phrases).map(([operation, source]) => ({
  operation: operation as RequestedOperation,
  pattern: plainPattern(source),
}))

/** The requested operations, each once, with all its words in lower case without accents. */
export function findRequestedOperations(text: string): ReadonlyMap<RequestedOperation, string> {
  const plain = foldCaseAndAccents(text)
  const found = new Map<RequestedOperation, string>()
  for (const { operation, pattern } of patterns) {
    const words = plain.match(pattern) ?? []
    if (words.length > 0) found.set(operation, words.join(' '))
  }
  return found
}
