/** Words of questions for cells that say the same in another form or language. */

/** Each line has words of one meaning. */
const groups = [
  'cancelled canceled cancellation void voided storniert storno abgesagt annulé annulée annulés annulées cancelado cancelada cancelados canceladas anulado anulada annullato 取消 已取消',
  'refunded returned reimbursed returns refunds zurückgegeben erstattet retourniert remboursé remboursée retourné devuelto devuelta reembolsado reembolsada 退款 已退款 退货 已退货',
  'completed complete done finished delivered fulfilled abgeschlossen erledigt fertig geliefert terminé terminée livré livrée completado completada entregado entregada 完成 已完成 已交付',
  'paid bezahlt payé payée pagado pagada 已付款 已支付',
  'unpaid offen unbezahlt impayé impayée impagado impagada 未付款 未支付',
  'pending ausstehend wartend en attente pendiente 待处理 待付款',
  'shipped sent versandt versendet verschickt expédié expédiée enviado enviada 已发货',
  'failed fail fehlgeschlagen échoué échouée fallido fallida 失败',
  'absent missing fehlt abwesend ausente 缺考 缺席',
  'yes ja oui si sí true 是',
  'no nein non false 否',
]

/** The other words of the same meaning. */
const others = new Map<string, readonly string[]>()
for (const group of groups) {
  const words = group.split(' ')
  for (const word of words) others.set(word, [...(others.get(word) ?? []), ...words.filter((one) => one !== word)])
}

/** Words that a question may use instead of a cell, in lower case. */
export const synonymsOfCell = (cell: string): readonly string[] => others.get(cell.trim().toLowerCase()) ?? []
