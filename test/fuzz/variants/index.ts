/** Further bases of operations: the same command about an object of another kind or in another state. */
import type { Role } from '../ground/cast.ts'
import type { Value } from '../inputs/json-text.ts'
import type { Operation, Place } from '../operations/operations.ts'
import { withMessage } from '../operations/recipes.ts'
import { callVariants } from './call-variants.ts'
import type { VariantDefinition } from './define.ts'
import { goalVariants } from './goal-variants.ts'
import { listingVariants } from './listing-variants.ts'
import { roomVariants } from './room-variants.ts'

const definitions: readonly VariantDefinition[] = [...callVariants, ...listingVariants, ...roomVariants, ...goalVariants]

/** One operation for each that a definition names. Its name ends with the kind in brackets. */
export function variantOperations(plain: readonly Operation[]): Operation[] {
  const byName = new Map(plain.map((one) => [one.name, one] as const))
  return definitions.flatMap((definition) =>
    definition.of.map((name, index) => {
      const operation = byName.get(name)
      if (!operation) throw new Error(`${name} is no operation, so it has no variant`)
      return variantOf(operation, definition, index > 0)
    }),
  )
}

function variantOf(operation: Operation, { kind, entitled, base }: VariantDefinition, isTwin: boolean): Operation {
  const { as, others = [], isRefused = false } = entitled
  const type = /^(?:command|socket):(.+)$/.exec(operation.name)?.[1]
  const make = async (place: Place, role: Role): Promise<Value> => {
    const made = (await base(place, role)) as { [name: string]: Value }
    if (type === undefined) return made
    return operation.name.startsWith('socket:') ? withMessage(place, role, { ...made, type }) : { ...made, type }
  }
  return {
    ...operation,
    name: `${operation.name} [${kind}]`,
    variant: { kind, entitled, isTwin },
    isClosed: isRefused || (operation.isClosed ?? false),
    roles: [...new Set([as, ...others, ...operation.roles])],
    base: make,
  }
}
