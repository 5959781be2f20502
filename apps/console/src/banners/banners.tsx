/** Banners: the list, and the editor of one with its preview. */

import { type BannerItem, listBanners } from '@portico/contracts/admin/banners'
import { formatTime } from '@portico/rules/format'
import { useLoad } from '@portico/shell/use-call'
import { AnchorButton } from '@portico/ui/anchor-button'
import { Skeleton } from '@portico/ui/skeleton'
import { useState } from 'react'
import { useEnvironment } from '../environment.ts'
import { List, LoadFailed, State } from '../list/list.tsx'
import { OrganizationNames } from '../name-text.tsx'
import { useOperator } from '../operator/operator.tsx'
import { PageHead } from '../page-head/page-head.tsx'
import { idIn, objectPath } from '../routes.ts'

import { BannerEditor, BannerState } from './banner-editor.tsx'

/** The ID in the URL of a banner that is not saved yet. */
const NEW = 'new'

const LIST = { href: '/console/banners', title: 'Banners' }

/** `rest` is the ID of a banner, `new`, or nothing for the list. */
export function Banners({ rest }: { rest: string }) {
  if (rest === '') return <BannerList />
  return rest === NEW ? <NewBanner /> : <BannerPage key={rest} id={idIn(rest)} />
}

function BannerList() {
  const { client } = useOperator()
  const { now } = useEnvironment()
  return (
    <>
      <PageHead
        title="Banners"
        facts="Messages above a page, such as a maintenance notice. A page shows at most two."
      >
        <AnchorButton href={objectPath('banners', NEW)}>New banner</AnchorButton>
      </PageHead>
      <List
        label="Banners"
        empty="Banners that you create and banners in the banner file appear here."
        load={(signal, after) =>
          client(listBanners, { query: after === undefined ? {} : { after }, signal })
        }
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Message',
            renderCell: (banner: BannerItem) => (
              <a href={objectPath('banners', banner.id)}>
                <bdi>{messageOf(banner)}</bdi>
              </a>
            ),
          },
          { title: 'State', renderCell: (banner) => <BannerState banner={banner} now={now()} /> },
          {
            title: 'Shown',
            renderCell: ({ published }) =>
              published === null ? '' : periodText(published.startsAt, published.endsAt),
          },
          {
            title: 'Audience',
            renderCell: ({ published }) =>
              published?.organizationCodes == null ? (
                'Everyone'
              ) : (
                <OrganizationNames codes={published.organizationCodes} />
              ),
            isDetail: true,
          },
          {
            title: 'Draft',
            renderCell: ({ draft }) => draft !== null && <State tone="warn">Not published</State>,
          },
        ]}
      />
    </>
  )
}

function messageOf({ published, draft }: BannerItem): string {
  const drafted = draft?.content['message']
  const message = published?.message ?? (typeof drafted === 'string' ? drafted : '')
  return message.trim() === '' ? 'No message' : message
}

function periodText(startsAt: number | null, endsAt: number | null): string {
  if (startsAt === null) return endsAt === null ? 'Always' : `Until ${formatTime(endsAt)}`
  return endsAt === null
    ? `From ${formatTime(startsAt)}`
    : `${formatTime(startsAt)} to ${formatTime(endsAt)}`
}

function NewBanner() {
  // A banner gets its ID before it is saved, so that a repeated save does not create a second one.
  const [id, setId] = useState(() => crypto.randomUUID())
  const begin = () => setId(crypto.randomUUID())
  return <BannerEditor key={id} id={id} banner={undefined} back={LIST} onReload={begin} />
}

function BannerPage({ id }: { id: string }) {
  const { client } = useOperator()
  const { reportError } = useEnvironment()
  const { result, failure, retry, reload } = useLoad(async (signal) => {
    let after: string | undefined
    do {
      const found = await client(listBanners, {
        query: after === undefined ? {} : { after },
        signal,
      })
      const banner = found.items.find((each) => each.id === id)
      // A new key resets the editor to the server's data.
      if (banner !== undefined) return { banner, key: crypto.randomUUID() }
      after = found.next ?? undefined
    } while (after !== undefined)
    return { banner: undefined }
  }, reportError)
  if (result?.banner === undefined || failure !== undefined) {
    return (
      <>
        <PageHead title="Banner" back={LIST} />
        {failure !== undefined ? (
          <LoadFailed failure={failure} onRetry={retry} />
        ) : result === undefined ? (
          <Skeleton shape="field" count={5} label="Loading the banner" />
        ) : (
          <p>This banner does not exist, or your roles do not cover everyone who sees it.</p>
        )}
      </>
    )
  }
  const { banner, key } = result
  return <BannerEditor key={key} id={id} banner={banner} back={LIST} onReload={reload} />
}
