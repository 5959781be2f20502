import { viteApplication } from '../../tools/vite-application.ts'

export default viteApplication('console')
