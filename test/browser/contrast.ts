import type { Page } from 'playwright-core';

/** The WCAG 2 contrast of every visible text with its background. No background is translucent. */
export const contrasts = (page: Page) =>
  page.evaluate(() => {
    /** A colour that CSS has mixed is written as `color(srgb 0.5 0.5 0.5)`. */
    const parts = (colour: string) =>
      (colour.match(/[\d.]+/g) ?? []).map((part) => Number(part) * (colour.startsWith('color(') ? 255 : 1));
    const linear = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    const luminance = (colour: string) => {
      const [red = 0, green = 0, blue = 0] = parts(colour).map((part) => linear(part / 255));
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const behind = (element: Element | null): string => {
      if (element === null) return 'rgb(255, 255, 255)';
      const { backgroundColor } = getComputedStyle(element);
      return parts(backgroundColor)[3] === 0 ? behind(element.parentElement) : backgroundColor;
    };
    const texts: { text: string; contrast: number }[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { currentNode } = walker;
      const element = currentNode.parentElement;
      const text = currentNode.textContent?.trim() ?? '';
      if (element === null || text === '' || !element.checkVisibility()) continue;
      const style = getComputedStyle(element);
      const colour = element instanceof SVGElement ? style.fill : style.color;
      const [one = 0, other = 0] = [luminance(colour), luminance(behind(element))].sort((a, b) => b - a);
      texts.push({ text: text.slice(0, 40), contrast: (one + 0.05) / (other + 0.05) });
    }
    return { texts, backgroundLuminance: luminance(getComputedStyle(document.body).backgroundColor) };
  });
