import type { Metadata, Viewport } from 'next'
import { cookies, headers } from 'next/headers'
import { NextIntlClientProvider } from 'next-intl'
import { getLocale, getMessages, getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { zeroAddress } from 'viem'
import './globals.css'
import { mayReadOperatorPages } from '@/server/trpc/request-context.ts'
import { MarketProvider, type Me, type PublicMarket } from './_components/market-provider.tsx'
import { AnnounceHydration } from './_components/shell/announce-hydration.tsx'
import { fontVariables } from './_components/shell/fonts.ts'
import { Footer } from './_components/shell/footer.tsx'
import { Header } from './_components/shell/header.tsx'
import { hydratedEvent, replayEarlyInput } from './_components/shell/replay-early-input.ts'
import { TestMoneyBanner } from './_components/shell/test-money-banner.tsx'
import { Toaster } from './_components/ui/toaster.tsx'
import { pickAreas } from './_messages/area-messages.tsx'
import { ApiProvider } from './_trpc/client.tsx'
import { getRequestContext } from './_trpc/server.tsx'
import { RequestTestMoney } from './_wallet/request-test-money.tsx'
import { WalletProvider } from './_wallet/wallet-provider.tsx'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('shell.layout')
  return {
    title: { default: t('title'), template: t('titleTemplate') },
    description: t('description'),
  }
}
export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#faf8f3' },
    { media: '(prefers-color-scheme: dark)', color: '#131513' },
  ],
}

export default async function Layout({ children }: { children: ReactNode }) {
  const t = await getTranslations('shell.layout')
  const theme = (await cookies()).get('parley_theme')?.value
  const nonce = (await headers()).get('x-nonce') ?? undefined
  const { market, me, requestTime } = await readReader()
  return (
    <html lang={await getLocale()} data-theme={theme === 'light' || theme === 'dark' ? theme : undefined} className={fontVariables}>
      <head>
        {/* Browsers hide the nonce from scripts, so that React finds none. */}
        <script nonce={nonce} suppressHydrationWarning>
          {`(${replayEarlyInput})(${JSON.stringify(hydratedEvent)})`}
        </script>
      </head>
      <body className="flex flex-col">
        <a
          href="#main"
          className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-accent focus:px-4 focus:py-3 focus:text-on-accent"
        >
          {t('skipToContent')}
        </a>
        <NextIntlClientProvider messages={pickAreas(await getMessages(), ['shell', 'ui', 'wallet'])}>
          <MarketProvider market={market} me={me} requestTime={requestTime}>
            <ApiProvider>
              <WalletProvider>
                {market.isLocalChain && <TestMoneyBanner />}
                <Header />
                <main id="main" tabIndex={-1} className="mx-auto w-full max-w-6xl flex-1 px-4 py-6 outline-none md:px-6 md:py-10">
                  {children}
                </main>
                <Footer theme={theme === 'light' || theme === 'dark' ? theme : 'system'} />
                <Toaster />
                <RequestTestMoney />
                <AnnounceHydration />
              </WalletProvider>
            </ApiProvider>
          </MarketProvider>
        </NextIntlClientProvider>
      </body>
    </html>
  )
}

async function readReader(): Promise<{ market: PublicMarket; me: Me | null; requestTime: number }> {
  const { ctx } = await getRequestContext()
  const { actor, market } = ctx
  return {
    // Fields are listed one by one, so that a new field of the market is not public automatically.
    market: {
      publicUrl: market.publicUrl,
      hubUrl: market.hubUrl,
      serverDid: market.serverDid,
      chainId: market.chainId,
      asset: market.asset,
      symbol: market.symbol,
      decimals: market.decimals,
      token: market.token,
      escrow: market.escrow,
      channels: market.channels,
      evaluator: market.evaluator,
      feeBps: market.feeBps,
      minBudget: market.minBudget,
      cardFee: ctx.ports.cards?.fee ?? null,
      isLocalChain: market.isLocalChain,
      hasOperators: market.operators.length > 0,
      hasArbitrator: market.arbitrator !== zeroAddress,
      cards: market.cards,
    },
    me:
      actor.kind === 'person'
        ? { did: actor.did, address: actor.address, isOperator: actor.isOperator, readsOperations: mayReadOperatorPages(ctx) }
        : null,
    requestTime: ctx.clock.now().getTime(),
  }
}
