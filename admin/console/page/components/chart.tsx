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
    const element = box.current;
    if (!element) return;
    let drawnWidth = 0;
    const redraw = () => {
      const width = Math.floor(element.clientWidth);
      if (width === 0 || width === drawnWidth) return;
      drawnWidth = width;
      const drawing = draw(width);
      drawing.role = 'img';
      drawing.ariaLabel = label;
      element.replaceChildren(drawing);
    };
    const observer = new ResizeObserver(redraw);
    observer.observe(element);
    return () => observer.disconnect();
  }, [label, draw]);
  return <div class="chart" ref={box} style={{ minHeight: `${height}px` }} />;
};
