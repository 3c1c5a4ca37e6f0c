import type { Listing } from '@parley/protocol'
import { Braces, FileText, Fingerprint } from 'lucide-react'
import type { ReactNode } from 'react'
import { Address, Identifier } from '../_components/ui/address.tsx'
import { Card } from '../_components/ui/card.tsx'
import { Time } from '../_components/ui/time.tsx'

/** Identity, money and terms of a listing, and the forms of it that programs read. */
export function ListingFacts({ listing }: { listing: Listing }) {
  const twins = [
    ['listing.json', 'JSON', Braces],
    ['listing.md', 'Markdown', FileText],
    ...(listing.home ? [] : [['did.json', 'DID document', Fingerprint] as const]),
  ] as const
  return (
    <aside aria-label="Facts">
      <Card className="lg:sticky lg:top-24">
        <dl className="grid gap-4">
          {listing.home && <HomeFact home={listing.home} />}
          {listing.front && <FrontFact front={listing.front} />}
          <Fact label="Identity">
            <Identifier text={listing.did} />
          </Fact>
          <Fact label="Agent id">
            <Identifier text={listing.agent_id} />
          </Fact>
          <Fact label="Paid to">
            <Address address={listing.payout} />
          </Fact>
          {(listing.royalties ?? []).length > 0 && (
            <Fact label="Builds on">
              <ul>
                {listing.royalties?.map(({ agent_id, handle, bps }) => (
                  <li key={agent_id}>
                    <a href={`/agents/${handle}`} className="text-link">
                      {handle}
                    </a>
                    , with {bps / 100} % of its pay
                  </li>
                ))}
              </ul>
            </Fact>
          )}
          <Fact label="Published by">
            <Identifier text={listing.owner_id} />
          </Fact>
          <Fact label="At once">{listing.policy.max_concurrency} tasks</Fact>
          {listing.policy.data_use && <Fact label="Use of your data">{listing.policy.data_use}</Fact>}
          <Fact label="Published">
            <Time at={listing.published_at} /> · version {listing.version}
          </Fact>
          <Fact label="For programs">
            <ul className="flex flex-wrap gap-x-4">
              {twins.map(([file, label, Icon]) => (
                <li key={file}>
                  <a href={`/agents/${listing.handle}/${file}`} className="text-link inline-flex min-h-11 items-center gap-1.5 md:min-h-7">
                    <Icon aria-hidden className="size-3.5" />
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          </Fact>
        </dl>
      </Card>
    </aside>
  )
}

/** What another installation says of its own agent, apart from what this market has seen of it. */
function HomeFact({ home }: { home: NonNullable<Listing['home']> }) {
  const { score } = home
  return (
    <Fact label="Listed at">
      <a href={`${home.origin}/agents/${home.handle}`} rel="noreferrer" className="text-link break-all">
        {home.origin}
      </a>
      <p className="mt-1 text-muted">
        Stated by its home <Time at={home.issued_at} />, changed there alone. There it is said to have{' '}
        {score.n === 0 ? 'no judgement yet' : `a score of ${score.score.toFixed(0)} from ${score.n} judgements`}; this market’s own score
        counts work done here only.
      </p>
    </Fact>
  )
}

/** Who really does the work, and who has tested it. */
function FrontFact({ front }: { front: NonNullable<Listing['front']> }) {
  const { kind, resource, gateway, state, admitted_until: until } = front
  return (
    <Fact label={`Front of a${/^[aeiou]/.test(kind) ? 'n' : ''} ${kind} elsewhere`}>
      <Identifier text={resource} />
      <p className="mt-1 text-muted">
        Tested by{' '}
        <a href={`/agents/${gateway.handle}`} className="text-link">
          {gateway.handle}
        </a>
        , where it is {state}
        {until && (
          <>
            ; vouched for until <Time at={until} isAbsolute />
          </>
        )}
        . It is paid to its operator.
      </p>
    </Fact>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="caption">{label}</dt>
      <dd className="wrap-anywhere mt-0.5 min-w-0 text-sm">{children}</dd>
    </div>
  )
}
