// The page on which component tests render: the styles of every application, and React's checks for development.
import '@portico/ui/tokens.css'
import '@portico/ui/base.css'
import { configure } from 'vitest-browser-react/pure'

configure({ reactStrictMode: true })
