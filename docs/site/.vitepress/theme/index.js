import DefaultTheme from 'vitepress/theme-without-fonts'
import MermaidDiagram from './mermaid-diagram.vue'
import '@fontsource-variable/public-sans/wght.css'
import '../../../../packages/ui/src/tokens.css'
import './style.css'

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => app.component('MermaidDiagram', MermaidDiagram),
}
