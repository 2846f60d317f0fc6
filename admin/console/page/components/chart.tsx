import { useEffect, useRef } from 'preact/hooks';

type Props = {
  /** What the chart shows, for readers who cannot see it. */
  label: string;
  height: number;
  draw: (width: number) => SVGSVGElement | HTMLElement;
};

/** Draws for the available width, and again when it changes. The height is fixed, so nothing jumps. */
export const Chart = ({ label, height, draw }: Props) => {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let drawnWidth = 0;
    const observer = new ResizeObserver(([entry]) => {
      const width = Math.floor(entry?.contentRect.width ?? 0);
      if (width === drawnWidth) return;
      drawnWidth = width;
      const drawing = draw(width);
      drawing.role = 'img';
      drawing.ariaLabel = label;
      // Plot names the parts of an image, which may not have names.
      for (const part of drawing.querySelectorAll('g[aria-label]')) part.removeAttribute('aria-label');
      entry?.target.replaceChildren(drawing);
    });
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, [label, draw]);
  return <div class="chart" ref={box} style={{ minHeight: `${height}px` }} />;
};
