import { ErrorBoundary } from '@portico/shell/error-boundary'
import { useInternalLinks } from '@portico/shell/internal-links'
import { LoadModuleContext, lazyComponent } from '@portico/shell/lazy-component'
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
  approvals: lazyComponent(async () => (await import('./approvals/approvals.tsx')).Approvals),
  people: lazyComponent(async () => (await import('./people/people.tsx')).People),
  banners: lazyComponent(async () => (await import('./banners/banners.tsx')).Banners),
  audit: lazyComponent(async () => (await import('./audit/audit.tsx')).Audit),
  experiments: lazyComponent(
    async () => (await import('./experiments/experiments.tsx')).Experiments,
  ),
  insight: lazyComponent(async () => (await import('./insight/insight.tsx')).Insight),
  operations: lazyComponent(async () => (await import('./operations/operations.tsx')).Operations),
  operators: lazyComponent(async () => (await import('./operators/operators.tsx')).Operators),
  tokens: lazyComponent(async () => (await import('./tokens/tokens.tsx')).Tokens),
  organizations: lazyComponent(
    async () => (await import('./organizations/organizations.tsx')).Organizations,
  ),
}

/** Sections without pages below their own. */
const SINGLE_PAGES: readonly string[] = ['audit', 'insight', 'operations', 'operators', 'tokens']

export function Application({ environment }: { environment: Environment }) {
  useEffect(() => {
    document.documentElement.dataset['ready'] = ''
  }, [])
  return (
    <EnvironmentContext value={environment}>
      <LoadModuleContext value={environment.loadModule}>
        <ToastProvider>
          <Console />
        </ToastProvider>
      </LoadModuleContext>
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
  if (found === undefined || (rest !== '' && SINGLE_PAGES.includes(section))) {
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
