import { ErrorBoundary } from '@portico/shell/error-boundary'
import { useInternalLinks } from '@portico/shell/internal-links'
import { LoadPartContext, part } from '@portico/shell/part'
import { Skeleton } from '@portico/ui/skeleton'
import { ToastProvider } from '@portico/ui/toast'
import { type ReactNode, useEffect } from 'react'
import { type Environment, EnvironmentContext, useEnvironment } from './environment.ts'
import { ConsoleFrame } from './frame/frame.tsx'
import { isConsolePage, openPage, useHere } from './location.ts'
import { Access, mayOpen, useOperator } from './operator/operator.tsx'
import { PageHead } from './page-head/page-head.tsx'
import { routeOf, SECTIONS, type Section } from './routes.ts'
import { Start } from './start/start.tsx'

/** The pages, each loaded when it is opened. `rest` is the path below the section. */
const PAGES: Readonly<Record<string, (props: { rest: string }) => ReactNode>> = {
  approvals: part(async () => (await import('./approvals/approvals.tsx')).Approvals),
  people: part(async () => (await import('./people/people.tsx')).People),
  banners: part(async () => (await import('./banners/banners.tsx')).Banners),
  audit: part(async () => (await import('./audit/audit.tsx')).Audit),
  experiments: part(async () => (await import('./experiments/experiments.tsx')).Experiments),
  insight: part(async () => (await import('./insight/insight.tsx')).Insight),
  operations: part(async () => (await import('./operations/operations.tsx')).Operations),
  operators: part(async () => (await import('./operators/operators.tsx')).Operators),
  tokens: part(async () => (await import('./tokens/tokens.tsx')).Tokens),
  organizations: part(
    async () => (await import('./organizations/organizations.tsx')).Organizations,
  ),
}

export function Application({ environment }: { environment: Environment }) {
  useEffect(() => {
    document.documentElement.dataset['ready'] = ''
  }, [])
  return (
    <EnvironmentContext value={environment}>
      <LoadPartContext value={environment.loadPart}>
        <ToastProvider>
          <Console />
        </ToastProvider>
      </LoadPartContext>
    </EnvironmentContext>
  )
}

function Console() {
  const { page, reload } = useEnvironment()
  const here = useHere()
  useInternalLinks(isConsolePage, openPage)
  return (
    <Access here={here}>
      <ConsoleFrame here={here}>
        <ErrorBoundary
          // An error of one page is not shown on another.
          key={here.path}
          supportPhone={page.supportPhone}
          signedIn
          onRetry={reload}
        >
          <Screen path={here.path} />
        </ErrorBoundary>
      </ConsoleFrame>
    </Access>
  )
}

export function Screen({ path }: { path: string }) {
  const { operator } = useOperator()
  const { section, rest } = routeOf(path)
  if (section === '') {
    const [first, ...others] = SECTIONS.filter((each) => mayOpen(operator, each))
    // An operator whose only section is outside the console, such as a reviewer, goes straight there.
    const isElsewhere = first !== undefined && others.length === 0 && !isOfConsole(first)
    return isElsewhere ? <Leave section={first} /> : <Start />
  }
  const found = SECTIONS.find(({ name }) => name === section)
  if (found === undefined) {
    return (
      <>
        <PageHead title="Page not found" />
        <p>The console has no page at this address. Choose one from the navigation.</p>
      </>
    )
  }
  if (!mayOpen(operator, found)) {
    return (
      <>
        <PageHead title="No access to this page" />
        <p>Your roles do not include this page. Ask an administrator for one that does.</p>
      </>
    )
  }
  const Page = PAGES[section]
  return Page === undefined ? <Leave section={found} /> : <Page rest={rest} />
}

const isOfConsole = ({ name }: Section) => Object.hasOwn(PAGES, name)

/** Opens a section that is a page of another application. */
function Leave({ section: { href, title } }: { section: Section }) {
  const { replace } = useEnvironment()
  useEffect(() => replace(href), [replace, href])
  return <Skeleton shape="text" count={3} label={`Opening ${title}`} />
}
