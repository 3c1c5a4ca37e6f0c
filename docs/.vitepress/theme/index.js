// The default theme, without its fonts, in the colors and fonts of the web.
import DefaultTheme from 'vitepress/theme-without-fonts'
import { h } from 'vue'
import './style.css'

// The generator adds its base to links of the navigation. This one leads to the web.
const marketLink = () => h('a', { class: 'market-link', href: '/', target: '_self' }, 'Market')

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'nav-bar-content-after': marketLink, 'nav-screen-content-after': marketLink }),
}
