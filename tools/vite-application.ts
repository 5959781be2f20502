import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/**
 * How an application is built for the browser; with `--ssr src/render.tsx` as the renderer that runs alone on the server's
 * Node; with `--mode gallery` as its part of the gallery, which shares no file with what visitors load.
 */
export const viteApplication = (name: string) =>
  defineConfig(({ command, isSsrBuild, mode }) => ({
    base: mode === 'gallery' ? `/dev/gallery/static/${name}/` : `/${name}/static/`,
    plugins: [react()],
    build: {
      assetsDir: '',
      assetsInlineLimit: 0,
      // One style sheet, in the document. Vite requests the sheet of a lazily loaded part once and never again, so a part
      // that was first needed offline would be unstyled for the rest of the visit.
      cssCodeSplit: false,
      manifest: true,
      modulePreload: { polyfill: false },
      outDir: 'dist/client',
      rolldownOptions: {
        input: mode === 'gallery' ? 'src/gallery/gallery.tsx' : 'src/main.tsx',
        // One file for what every page needs: fewer requests, and styles in the order of their imports.
        output: isSsrBuild
          ? {}
          : { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } },
      },
    },
    worker: { format: 'es' },
    // The renderer carries its libraries, in their production form; in development Vite leaves them to Node.
    ...(command === 'build' && {
      define: { 'process.env.NODE_ENV': '"production"' },
      ssr: { noExternal: true },
    }),
  }))
