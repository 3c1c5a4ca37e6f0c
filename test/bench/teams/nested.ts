/** A task whose agent leads a team of its own for it, by the protocol's rules alone: no server, no sockets. */
import { advanceTree, type RoomTree, startRoom, type TreeMove } from '@parley/protocol'

export function playNested(mode: 'sync' | 'async'): { ended: boolean; ms: number } {
  const start = performance.now()
  let tree: RoomTree = { top: { room: startRoom({ lead: 'lead', client: 'client', members: ['worker'], at: 0 }), parent: null } }
  const at = 0
  const inside = (group: string, move: Extract<TreeMove, { type: 'in' }>['move']): TreeMove => ({ type: 'in', group, move })
  const moves: TreeMove[] = [
    inside('top', { type: 'assign', by: 'lead', task: 't1', to: 'worker', mode, at }),
    ...(mode === 'async' ? [inside('top', { type: 'pause', by: 'lead', triggers: ['t1'], at })] : []),
    { type: 'nest', group: 'top', task: 't1', into: 'below', by: 'worker', at },
    inside('below', { type: 'join', who: 'helper', at }),
    inside('below', { type: 'assign', by: 'worker', task: 't2', to: 'helper', mode, at }),
    inside('below', { type: 'end', task: 't2', as: 'completed', at }),
    inside('below', { type: 'conclude', by: 'worker', at }),
    inside('top', { type: 'end', task: 't1', as: 'completed', at }),
    inside('top', { type: 'conclude', by: 'lead', at }),
  ]
  for (const move of moves) {
    const step = advanceTree(tree, move)
    if (!step.ok) return { ended: false, ms: performance.now() - start }
    tree = step.tree
  }
  return { ended: Object.values(tree).every(({ room }) => room.state === 'concluded'), ms: performance.now() - start }
}
