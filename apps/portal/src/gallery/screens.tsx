import type { SecurityOverview } from '@portico/contracts/account-security'
import type { GALLERY_SCREENS } from '@portico/contracts/gallery'
import type { PageData } from '@portico/contracts/page-data'
import { PageFrame } from '@portico/shell/page-frame'
import { Stack } from '@portico/ui/stack'
import type { ReactNode } from 'react'
import { DashboardView } from '../dashboard/dashboard.view.tsx'
import { NotFound } from '../not-found/not-found.tsx'
import { overview } from '../security/security.samples.ts'
import { SecurityView } from '../security/security.view.tsx'
import { WalletCardView } from '../wallet-card/wallet-card.view.tsx'

const ADDRESS = 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh'
const EMAIL = 'maximiliane.hohenstein@longest-mail-domain.example'

/** What happens to whatever a person does here. */
const nothing = () => undefined

const OVERVIEW: SecurityOverview = {
  ...overview,
  aliases: overview.aliases.map((alias) =>
    alias.type === 'Email' ? { ...alias, value: EMAIL } : alias,
  ),
}

const wallet = (
  <section aria-labelledby="wallet">
    <Stack gap="inside">
      <h2 id="wallet">Wallet</h2>
      <WalletCardView
        state={{
          step: 'idle',
          accounts: { items: [], acting: undefined },
          outcome: { tone: 'ok', title: 'Signed', detail: 'The message was signed.' },
        }}
        send={nothing}
        wallet={{
          address: ADDRESS,
          representedGroupPolicy: null,
          status: 'connected',
          walletInfo: { id: 'gallery', name: 'Everyday', coin: 'tp' },
        }}
        life="23 hours"
      />
    </Stack>
  </section>
)

/** Every screen by its name in the gallery. */
export const SCREENS: Readonly<
  Record<keyof (typeof GALLERY_SCREENS)['portal'], (page: PageData) => ReactNode>
> = {
  dashboard: (page) => (
    <PageFrame page={page} wide>
      <DashboardView
        state={{ step: 'confirmed' }}
        send={nothing}
        session={{
          email: EMAIL,
          organizationCode: page.organization.orgCode,
          organizationName: page.organization.orgMetaData.companyInfo.name,
          profileType: 'CUSTOMER',
          signedInAt: 0,
          method: 'password',
        }}
        since="Today, 9:41 AM"
        wallet={wallet}
      />
    </PageFrame>
  ),
  security: (page) => (
    <PageFrame page={page} wide>
      <SecurityView
        state={{ step: 'shown', overview: OVERVIEW }}
        send={nothing}
        time={() => 'Today, 9:41 AM'}
        passkeys
      />
    </PageFrame>
  ),
  'not-found': (page) => (
    <PageFrame page={page}>
      <NotFound signedIn />
    </PageFrame>
  ),
}
