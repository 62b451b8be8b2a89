// The build hands style sheets over as their text, minified.
declare module '*.css' {
  const text: string
  export default text
}
