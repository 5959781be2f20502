import type { PageViews } from './environment.ts'

/** Passes on every path a person comes to, and none twice in a row: React may tell of the same one again (§2.1). */
export function pathChanges(pageViews: PageViews): (path: string) => void {
  let last: string | undefined
  return (path) => {
    if (path === last) return
    last = path
    pageViews.seen(path)
  }
}
