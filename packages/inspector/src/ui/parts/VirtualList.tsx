import type { ComponentChildren, JSX } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface VirtualListProps<T> {
  readonly items: readonly T[];
  readonly label: string;
  readonly rowHeight: number;
  /** The index of the selected item; -1 for none. */
  readonly selected: number;
  readonly onSelect: (index: number) => void;
  readonly keyOf: (item: T) => string | number;
  readonly className?: string;
  readonly classOf?: (item: T) => string;
  readonly styleOf?: (item: T) => Readonly<Record<string, string>>;
  readonly row: (item: T) => ComponentChildren;
  /** True to scroll along with new items while the end is visible. */
  readonly follows?: boolean;
}

/** The number of rows rendered beyond the visible ones, so that scrolling shows no gaps. */
const MARGIN = 12;

/** Shows a list of any length and renders only the visible rows. It is one tab stop; arrow keys move the selection. */
export function VirtualList<T>(props: VirtualListProps<T>): JSX.Element {
  const { items, label, rowHeight, selected, keyOf, classOf, styleOf, row, onSelect } = props;
  const { box, measure, view } = useView(props);
  const first = Math.max(0, view.top - MARGIN);
  const last = Math.min(items.length, view.top + Math.ceil(view.height / rowHeight) + MARGIN);
  const id = (index: number): string => `${label.replace(/\W+/g, '-')}-${String(index)}`;
  const move = (event: KeyboardEvent): void => {
    const to = findDestination(event.key, selected, items.length, Math.floor(view.height / rowHeight));
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    onSelect(to);
  };
  return (
    <div
      ref={box}
      class={`virtual ${props.className ?? ''}`}
      role="listbox"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={selected >= first && selected < last ? id(selected) : undefined}
      onScroll={measure}
      onKeyDown={move}
    >
      <div class="sizer" role="presentation" style={{ height: `${String(items.length * rowHeight)}px` }}>
        <div class="window" role="presentation" style={{ transform: `translateY(${String(first * rowHeight)}px)` }}>
          {items.slice(first, last).map((item, offset) => {
            const index = first + offset;
            return (
              <div
                key={keyOf(item)}
                id={id(index)}
                role="option"
                aria-selected={index === selected}
                aria-posinset={index + 1}
                aria-setsize={items.length}
                class={`option ${classOf?.(item) ?? ''}`}
                style={{ height: `${String(rowHeight)}px`, ...styleOf?.(item) }}
                onClick={() => onSelect(index)}
              >
                {row(item)}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** Computes the visible rows. Keeps the selection visible, and the end while rows arrive. */
function useView<T>({ items, rowHeight, selected, follows = false }: VirtualListProps<T>) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  const atEnd = useRef(false);
  const measure = useCallback(() => {
    const { current } = box;
    if (current === null) return;
    const { scrollTop, clientHeight, scrollHeight } = current;
    atEnd.current = scrollTop + clientHeight > scrollHeight - rowHeight * 2;
    // The list scrolls by whole rows, so smaller steps need no rendering.
    const top = Math.floor(scrollTop / rowHeight);
    setView((before) =>
      before.top === top && before.height === clientHeight ? before : { top, height: clientHeight },
    );
  }, [rowHeight]);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(measure);
    if (box.current !== null) observer.observe(box.current);
    return () => observer.disconnect();
  }, [measure]);
  useEffect(() => {
    const { current } = box;
    if (current !== null && follows && atEnd.current && selected < 0) current.scrollTop = current.scrollHeight;
  }, [items.length, follows, selected]);
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null || selected < 0) return;
    const top = selected * rowHeight;
    if (top < current.scrollTop) current.scrollTop = top;
    else if (top + rowHeight > current.scrollTop + current.clientHeight)
      current.scrollTop = top + rowHeight - current.clientHeight;
  }, [selected, rowHeight]);
  return { box, measure, view };
}

/** Finds the index that a key selects; undefined for other keys. */
function findDestination(key: string, from: number, count: number, page: number): number | undefined {
  if (count === 0) return undefined;
  const to = (index: number): number => Math.max(0, Math.min(count - 1, index));
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return to(from + 1);
    case 'ArrowUp':
    case 'k':
      return to(from - 1);
    case 'PageDown':
      return to(from + page);
    case 'PageUp':
      return to(from - page);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
