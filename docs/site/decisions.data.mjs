import { linkedPages } from './pages.mjs'

export default { watch: ['../decisions/*.md'], load: () => linkedPages('docs/decisions') }
