import { takeOver } from '@portico/shell/take-over'
import { Application } from './application.tsx'
import { browserEnvironment } from './environment.ts'

takeOver((page) => <Application page={page} environment={browserEnvironment(page, window)} />)
