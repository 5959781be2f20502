// The page on which component tests render: the styles of every application, and React's checks for development.
import '@portico/ui/tokens.css'
import '@portico/ui/font.css'
import '@portico/ui/base.css'
import { beforeEach } from 'vitest'
import { cleanup, configure } from 'vitest-browser-react/pure'

configure({ reactStrictMode: true })

// The library registers its own only in the first file, because all files share its module.
beforeEach(() => cleanup())
