// `npm run extension [-- --origin URL … --property NAME --event NAME
// --network mainnet|testnet --out FOLDER]`: builds the browser extension.
import path from 'node:path'
import { parseArgs } from 'node:util'
import { buildExtension, DEFAULT_BRIDGE_NAMES, EXTENSION_DIST } from './extension/build.ts'
import { ROOT } from './setup/processes.mjs'

/** `npm start` on this machine. */
const DEVELOPMENT = ['http://localhost:8080', 'http://localhost', 'http://127.0.0.1']

const { values } = parseArgs({
  options: {
    origin: { type: 'string', multiple: true, default: DEVELOPMENT },
    property: { type: 'string', default: DEFAULT_BRIDGE_NAMES.property },
    network: { type: 'string', default: 'testnet' },
    out: { type: 'string', default: EXTENSION_DIST },
    event: { type: 'string', default: DEFAULT_BRIDGE_NAMES.event },
  },
})

const origins = values.origin.map((text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url.origin
  console.error(`${text} is not a web origin. Write it as https://app.lender.example.`)
  process.exit(2)
})
const { network } = values
if (network !== 'mainnet' && network !== 'testnet') {
  console.error(`${network} is not a network. Use mainnet or testnet.`)
  process.exit(2)
}
await buildExtension({
  origins,
  network,
  bridgeNames: { property: values.property, event: values.event },
  outDir: values.out,
})
console.log(
  `The extension is in ${path.relative(ROOT, values.out)}; docs/extension.md says how to load it.`,
)
