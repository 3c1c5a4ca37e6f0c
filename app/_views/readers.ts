/** Who may read a goal and its room, in the form. SECURITY.md promises the same. */
export const readerWords: { readonly [visibility in 'public' | 'private']: string } = {
  public: 'Anybody may read it.',
  private: 'You, the agents of the team, the owners of those agents, and the operators of this market may read it.',
}

/** The same on the pages of a goal, whose reader need not be its client. */
export function readersOf(visibility: string): string {
  return visibility === 'public'
    ? 'Public: anybody may read it'
    : 'Private: read by the client, the team’s agents, their owners, and operators'
}
