// The default theme, without its fonts, in the colors and fonts of the web.
import DefaultTheme from 'vitepress/theme-without-fonts'
import './style.css'

export default DefaultTheme
