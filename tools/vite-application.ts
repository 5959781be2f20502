import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { cosmosTypes } from './cosmos-types.ts'

/** The entry of each mode, and where the server serves its files. Modes share no file with each other. */
const MODES: Readonly<
  Record<string, { readonly input: string; readonly base: (name: string) => string }>
> = {
  gallery: { input: 'src/gallery/gallery.tsx', base: (name) => `/console/preview/static/${name}/` },
  mobile: { input: 'src/mobile/main.tsx', base: () => '/mobile-wallet/static/' },
  'mobile-worker': {
    input: 'src/mobile/service-worker/service-worker.ts',
    base: () => '/mobile-wallet/static/',
  },
}

/**
 * Builds an application for the browser; with `--ssr src/render.tsx`, the self-contained renderer for the server's
 * Node; with `--mode gallery`, its part of the gallery; with `--mode mobile`, the mobile wallet, and with
 * `--mode mobile-worker`, its service worker, one file under a name that does not change.
 */
export const viteApplication = (name: string) =>
  defineConfig(({ command, isSsrBuild, mode }) => ({
    base: MODES[mode]?.base(name) ?? `/${name}/static/`,
    plugins: [react(), cosmosTypes()],
    build: {
      assetsDir: '',
      assetsInlineLimit: 0,
      // One style sheet, in the document. Vite requests a lazy part's sheet only once, so a part first needed offline
      // would stay unstyled for the rest of the visit.
      cssCodeSplit: false,
      manifest: true,
      // Only what a page loads has to be small.
      ...((isSsrBuild || mode === 'gallery') && {
        chunkSizeWarningLimit: Number.POSITIVE_INFINITY,
      }),
      modulePreload: { polyfill: false },
      outDir: 'dist/client',
      rolldownOptions: {
        // The gallery shows the screens that the application loads when they are opened.
        checks: { ineffectiveDynamicImport: mode !== 'gallery' },
        input: MODES[mode]?.input ?? 'src/main.tsx',
        // One file for the code of every page: fewer requests, and styles in import order.
        output: isSsrBuild
          ? {}
          : mode === 'mobile-worker'
            ? { entryFileNames: '[name].js', codeSplitting: false }
            : { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } },
      },
    },
    worker: { format: 'es' },
    // The renderer bundles the production builds of its libraries; in development Vite leaves them to Node.
    ...(command === 'build' && {
      define: { 'process.env.NODE_ENV': '"production"' },
      ssr: { noExternal: true },
    }),
  }))
