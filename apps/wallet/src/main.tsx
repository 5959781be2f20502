import { hydratePage } from '@portico/shell/hydrate-page'
import { Application } from './application.tsx'
import { browserEnvironment } from './environment.ts'

hydratePage((page) => <Application page={page} environment={browserEnvironment(page, window)} />)
