/** The look of the site: that of VitePress, with a few rules of its own. */
import theme from 'vitepress/theme';
import './style.css';

export default theme;
