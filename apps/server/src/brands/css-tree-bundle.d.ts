// The library bundled as a single file, which loads in a third of the time.
declare module 'css-tree/dist/csstree.esm' {
  export * from 'css-tree'
}
