import type { AnchorHTMLAttributes, MouseEvent } from "react";
import { goTo } from "./route.ts";

interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly to: string;
}

/** A real link: it can be opened in a new tab; a plain click changes the view without loading the page. */
export function Link({ to, onClick, ...rest }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event);
    const isPlain =
      !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey && event.button === 0;
    if (event.defaultPrevented || !isPlain) return;
    event.preventDefault();
    goTo(to);
  };
  return <a {...rest} href={to} onClick={follow} />;
}
