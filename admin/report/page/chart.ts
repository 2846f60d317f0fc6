import { el } from './dom.ts';

type Drawing = SVGSVGElement | HTMLElement;

/** Draws for the width that there is, and anew when it changes. The height is known beforehand, so nothing jumps. */
export const chart = (label: string, height: number, draw: (width: number) => Drawing) => {
  const box = el('div', { class: 'chart' });
  box.style.minHeight = `${height}px`;
  let drawnFor = 0;
  const redraw = () => {
    const width = Math.floor(box.clientWidth);
    if (width === 0 || width === drawnFor) return;
    drawnFor = width;
    const drawing = draw(width);
    drawing.setAttribute('role', 'img');
    drawing.setAttribute('aria-label', label);
    box.replaceChildren(drawing);
  };
  new ResizeObserver(redraw).observe(box);
  return box;
};
