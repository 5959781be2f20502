import { linkedPages } from './pages.mjs'

export default { watch: ['../flows/*.md'], load: () => linkedPages('docs/flows') }
