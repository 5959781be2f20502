import { fileURLToPath } from 'node:url'
import { build } from 'vite'

/** Bundles a module into one script without imports, which pages of tests include or evaluate. */
export async function bundleScript(entry: URL): Promise<string> {
  const bundle = await build({
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      lib: { entry: fileURLToPath(entry), formats: ['iife'], name: 'page' },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })
  const [first] = Array.isArray(bundle) ? bundle : [bundle]
  if (first === undefined || !('output' in first)) throw new Error('The script was not built')
  return first.output[0].code
}
