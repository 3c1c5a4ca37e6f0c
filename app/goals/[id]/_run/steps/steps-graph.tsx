'use client'
import { formatAmount } from '@parley/protocol'
import { Background, Handle, type Node, type NodeProps, Position, ReactFlow } from '@xyflow/react'
import { useTranslations } from 'next-intl'
import '@xyflow/react/dist/base.css'
import './steps-graph.css'
import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useMarket } from '../../../../_components/market-provider.tsx'
import { cn } from '../../../../_components/ui/cn.ts'
import { groups } from '../../../../_components/ui/money.tsx'
import { withSubSteps } from '../rooms/room-tree.ts'
import { payOf, type RunView } from '../run-view.ts'
import type { People } from '../to-run-view.ts'
import { StepChip } from './step-chip.tsx'
import { fitTaskGraph, type GraphNode, type NodeSize } from './task-graph-layout.ts'

type StepNode = Node<{ placed: GraphNode; agent: string; isAcross: boolean; size: NodeSize }, 'step'>

const edges = {
  working: 'border-accent',
  asking: 'border-amber',
  revising: 'border-amber',
  done: 'border-amber',
  submitted: 'border-amber',
  disputed: 'border-bad',
  paid: 'border-good',
  split: 'border-good',
  accepted: 'border-good',
  returned: 'border-bad',
  failed: 'border-bad',
} as const

function StepCard({ data }: NodeProps<StepNode>) {
  const { step, status, done } = data.placed
  const { decimals } = useMarket()
  const edge = Object.hasOwn(edges, status) ? edges[status as keyof typeof edges] : 'border-line-strong'
  return (
    <div
      style={data.size}
      className={cn(
        'flex flex-col justify-between rounded-md border-2 bg-surface px-3 py-2 text-left',
        edge,
        status === 'waiting' && 'border-dashed',
      )}
    >
      <Handle type="target" position={data.isAcross ? Position.Left : Position.Top} isConnectable={false} />
      <p className="line-clamp-2 font-medium text-sm leading-tight" title={step.title}>
        {step.step}. {step.title}
      </p>
      <p className="flex items-baseline justify-between gap-2 text-muted text-xs">
        <span className="truncate" title={data.agent}>
          {data.agent}
        </span>
        <span className="figures">{groups(formatAmount(payOf(step), decimals))}</span>
      </p>
      <p>
        <StepChip status={status} done={done} />
      </p>
      <Handle type="source" position={data.isAcross ? Position.Right : Position.Bottom} isConnectable={false} />
    </div>
  )
}
const nodeTypes = { step: StepCard }

export function StepsGraph({ view, people }: { view: RunView; people: People }) {
  const t = useTranslations('run.stepsGraph')
  const tStatus = useTranslations('views.stepStatus')
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const [shown, setShown] = useState('')
  const laid = useMemo(() => fitTaskGraph(withSubSteps(view.steps), view.tasks, width), [view, width])
  const isAcross = laid.direction === 'across'
  const nodes: StepNode[] = laid.nodes.map((placed) => ({
    id: String(placed.step.step),
    type: 'step',
    position: { x: placed.x, y: placed.y },
    data: { placed, agent: people.nameOf(placed.step.agentId), isAcross, size: laid.node },
    width: laid.node.width,
    height: laid.node.height,
    ariaLabel: t('step', {
      step: placed.step.step,
      title: placed.step.title,
      name: people.nameOf(placed.step.agentId),
      status: tStatus(placed.status),
    }),
  }))
  const lines = laid.edges.map((edge) => ({
    id: `${edge.from}-${edge.to}`,
    source: String(edge.from),
    target: String(edge.to),
    focusable: false,
    animated: laid.nodes.find((node) => node.step.step === edge.to)?.status === 'working',
  }))
  const place = `${width}-${laid.width}-${laid.height}`
  const left = Math.max(0, (width - laid.width * laid.zoom) / 2)
  return (
    <div ref={box} className="task-graph overflow-hidden rounded-lg border bg-sunken" style={{ height: laid.height * laid.zoom + 2 }}>
      {width > 0 && (
        <ReactFlow
          // The graph keeps its viewport. A new size of the box or the plan resets it.
          key={place}
          // Its first frame has another position.
          onInit={() => setShown(place)}
          className={shown === place ? undefined : 'opacity-0'}
          nodes={nodes}
          edges={lines}
          nodeTypes={nodeTypes}
          defaultViewport={{ x: left, y: 0, zoom: laid.zoom }}
          minZoom={0.5}
          maxZoom={1.4}
          nodesDraggable={false}
          nodesConnectable={false}
          elementsSelectable={false}
          // The whole graph is visible and fixed, so that a touch scrolls the page.
          panOnDrag={false}
          zoomOnScroll={false}
          zoomOnPinch={false}
          zoomOnDoubleClick={false}
          preventScrolling={false}
          aria-label={t('graphOfSteps')}
        >
          <Background gap={16} size={1} />
        </ReactFlow>
      )}
    </div>
  )
}

/** The width of an element, 0 until it is known. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    if (!element.current) return
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return width
}
