'use client'
import { Background, Controls, Handle, type Node, type NodeProps, Position, ReactFlow } from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import './steps-graph.css'
import { useEffect, useMemo, useState } from 'react'
import { cn } from '../../../_components/ui/cn.ts'
import { Money } from '../../../_components/ui/money.tsx'
import type { RunView } from '../../../_views/run.ts'
import { stepStatusWords } from '../../../_views/step-status.ts'
import { type GraphNode, layTaskGraph, nodeSize } from '../../../_views/task-graph.ts'
import type { People } from '../../../_views/to-run-view.ts'
import { StepChip } from './step-chip.tsx'

type StepNode = Node<{ placed: GraphNode; agent: string; isAcross: boolean }, 'step'>

const edges = {
  working: 'border-accent',
  asking: 'border-amber',
  done: 'border-amber',
  paid: 'border-good',
  accepted: 'border-good',
} as const

function StepCard({ data }: NodeProps<StepNode>) {
  const { step, status, done } = data.placed
  const edge = Object.hasOwn(edges, status) ? edges[status as keyof typeof edges] : 'border-line-strong'
  return (
    <div
      style={nodeSize}
      className={cn(
        'flex flex-col justify-between rounded-md border-2 bg-surface px-3 py-2 text-left',
        edge,
        status === 'waiting' && 'border-dashed',
      )}
    >
      <Handle type="target" position={data.isAcross ? Position.Left : Position.Top} isConnectable={false} />
      <p className="truncate font-medium text-sm leading-tight" title={step.title}>
        {step.step}. {step.title}
      </p>
      <p className="truncate text-muted text-xs">{data.agent}</p>
      <p className="flex items-center justify-between gap-2">
        <StepChip status={status} done={done} />
        <Money amount={step.amount} className="text-xs" />
      </p>
      <Handle type="source" position={data.isAcross ? Position.Right : Position.Bottom} isConnectable={false} />
    </div>
  )
}
const nodeTypes = { step: StepCard }

export function StepsGraph({ view, people }: { view: RunView; people: People }) {
  const isAcross = useIsWide()
  const laid = useMemo(() => layTaskGraph(view.steps, view.tasks, isAcross ? 'across' : 'down'), [view, isAcross])
  const nodes: StepNode[] = laid.nodes.map((placed) => ({
    id: String(placed.step.step),
    type: 'step',
    position: { x: placed.x, y: placed.y },
    data: { placed, agent: people.nameOf(placed.step.agentId), isAcross },
    width: nodeSize.width,
    height: nodeSize.height,
    ariaLabel: `Step ${placed.step.step}, ${placed.step.title}, ${people.nameOf(placed.step.agentId)}: ${stepStatusWords[placed.status]}`,
  }))
  const lines = laid.edges.map((edge) => ({
    id: `${edge.from}-${edge.to}`,
    source: String(edge.from),
    target: String(edge.to),
    focusable: false,
    animated: laid.nodes.find((node) => node.step.step === edge.to)?.status === 'working',
  }))
  return (
    <div
      className="task-graph overflow-hidden rounded-lg border bg-sunken"
      style={{ height: isAcross ? Math.min(440, Math.max(240, laid.height + 96)) : 460 }}
    >
      <ReactFlow
        key={`${isAcross}-${view.steps.length}`}
        nodes={nodes}
        edges={lines}
        nodeTypes={nodeTypes}
        fitView
        fitViewOptions={{ padding: 0.04, maxZoom: 1, minZoom: 0.4 }}
        minZoom={0.3}
        maxZoom={1.4}
        nodesDraggable={false}
        nodesConnectable={false}
        elementsSelectable={false}
        zoomOnScroll={false}
        preventScrolling={false}
        aria-label="Graph of the steps; the table beside it says the same"
      >
        <Background gap={16} size={1} />
        <Controls
          showInteractive={false}
          position={isAcross ? 'top-right' : 'bottom-left'}
          orientation={isAcross ? 'horizontal' : 'vertical'}
        />
      </ReactFlow>
    </div>
  )
}

function useIsWide(): boolean {
  const [isWide, setWide] = useState(true)
  useEffect(() => {
    const query = window.matchMedia('(min-width: 768px)')
    const follow = () => setWide(query.matches)
    follow()
    query.addEventListener('change', follow)
    return () => query.removeEventListener('change', follow)
  }, [])
  return isWide
}
