import type { PageData } from '@portico/contracts/page-data'
import { lazyComponent } from '@portico/shell/lazy-component'
import { Skeleton } from '@portico/ui/skeleton'
import { useSyncExternalStore } from 'react'
import { reviewOf } from '../routes.ts'

const Queue = lazyComponent(async () => {
  const { Queue } = await import('./queue.tsx')
  return Queue
})
const ReviewPage = lazyComponent(async () => {
  const { ReviewPage } = await import('./review.tsx')
  return ReviewPage
})

/** The reviewer pages: the queue of submitted sections, and a single section. */
export function Reviews({ page: { path, query, supportPhone } }: { page: PageData }) {
  // The server cannot wait for lazily loaded parts.
  const isHydrated = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  const review = reviewOf(path)
  if (!isHydrated) {
    return (
      <>
        <h1 tabIndex={-1}>{review === undefined ? 'Reviews' : 'Review'}</h1>
        <Skeleton shape="card" count={2} label="Loading" />
      </>
    )
  }
  return review === undefined ? (
    <Queue query={query} supportPhone={supportPhone} />
  ) : (
    <ReviewPage {...review} supportPhone={supportPhone} />
  )
}

const never = () => () => undefined
