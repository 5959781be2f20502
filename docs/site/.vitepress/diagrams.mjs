/** A markdown-it plugin that draws `mermaid` code as a diagram, with the component of the theme. */
export function drawDiagrams(markdown) {
  const { fence } = markdown.renderer.rules
  markdown.renderer.rules.fence = (tokens, index, ...rest) =>
    tokens[index].info.trim() === 'mermaid'
      ? `<MermaidDiagram source="${encodeURIComponent(tokens[index].content)}" />`
      : fence(tokens, index, ...rest)
}
