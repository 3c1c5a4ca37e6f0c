/** The fields of a step that decide which steps build on it. */
type Step = { readonly step: number; readonly dependsOn: readonly number[] }

/** The chosen steps and every step that builds on one of them, directly or through others. In the order of `steps`. */
export function dependentSteps<S extends Step>(steps: readonly S[], chosen: readonly number[]): S[] {
  const affected = new Set(chosen)
  // A later step may have a lower number, so the search repeats until nothing is added.
  for (let size = -1; size !== affected.size; ) {
    size = affected.size
    for (const step of steps) if (step.dependsOn.some((one) => affected.has(one))) affected.add(step.step)
  }
  return steps.filter(({ step }) => affected.has(step))
}
