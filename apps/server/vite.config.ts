import { serverBundle } from '../../tools/release/bundle.ts'

/** What `npm start` runs, in `dist`. */
export default serverBundle({ installationFolder: '../../../../' })
