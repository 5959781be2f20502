import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** How an application is built for the browser and, with `--ssr src/render.tsx`, as the renderer that runs alone on the server's Node. */
export const viteApplication = (name: string) =>
  defineConfig(({ command, isSsrBuild }) => ({
    base: `/${name}/static/`,
    plugins: [react()],
    build: {
      assetsDir: '',
      assetsInlineLimit: 0,
      manifest: true,
      modulePreload: { polyfill: false },
      outDir: 'dist/client',
      rolldownOptions: {
        input: 'src/main.tsx',
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
