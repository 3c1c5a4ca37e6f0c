/** Words that stand in a column of numbers where a number is missing. */

const words = new Set(
  (
    'absent|abs|absence|excused|sick|ill|missing|missed|forgot|forgotten|no data|no value|no entry|not available|not measured|not recorded|not read|not taken|not done|not submitted|no show|no-show|did not attend|dns|dnf|closed|unknown|unavailable|tbd|tba|pending|blank|empty|na|n.a.|n/a|nil|#n/a|x|' +
    'fehlt|fehlend|krank|abwesend|entschuldigt|nicht abgelesen|nicht gemessen|nicht erschienen|keine angabe|k.a.|k. a.|ka|unbekannt|geschlossen|ausgefallen|leer|offen|' +
    'absente|malade|non mesuré|non rendu|manquant|inconnu|fermé|vide|nc|n.c.|' +
    'ausente|enfermo|enferma|no presentado|n.p.|np|sin dato|sin datos|falta|desconocido|cerrado|vacío|' +
    '缺考|缺席|请假|未交|弃考|缺|无|未测|未参加|旷考|缓考|病假|事假|未知|暂无|空'
  ).split('|'),
)

/** True if a cell states that its number is missing, such as “absent”. */
export const isMissingValue = (cell: string): boolean =>
  words.has(
    cell
      .trim()
      .toLowerCase()
      .replace(/^[([]|[)\]]$/g, ''),
  )
