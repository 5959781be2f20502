import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/**
 * Builds an application for the browser; with `--ssr src/render.tsx`, the self-contained renderer for the server's
 * Node; with `--mode gallery`, its part of the gallery, which shares no file with visitors' pages.
 */
export const viteApplication = (name: string) =>
  defineConfig(({ command, isSsrBuild, mode }) => ({
    base: mode === 'gallery' ? `/dev/gallery/static/${name}/` : `/${name}/static/`,
    plugins: [react()],
    build: {
      assetsDir: '',
      assetsInlineLimit: 0,
      // One style sheet, in the document. Vite requests a lazy part's sheet only once, so a part first needed offline
      // would stay unstyled for the rest of the visit.
      cssCodeSplit: false,
      manifest: true,
      modulePreload: { polyfill: false },
      outDir: 'dist/client',
      rolldownOptions: {
        input: mode === 'gallery' ? 'src/gallery/gallery.tsx' : 'src/main.tsx',
        // One file for the code of every page: fewer requests, and styles in import order.
        output: isSsrBuild
          ? {}
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
