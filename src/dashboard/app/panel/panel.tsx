import { useEffect, useRef, type ReactNode } from "react";
import { Tab, TabList, TabPanel, Tabs } from "react-aria-components/Tabs";
import type { DelegationDetail } from "../../../app/view-types.ts";
import { goTo, withPanel } from "../frame/route.ts";
import { useTouched } from "../live/touches.ts";
import { useAnswer } from "../live/use-answer.ts";
import { Loading, ProblemNote } from "../parts/notices.tsx";
import { CostTab } from "./cost-tab.tsx";
import { CriteriaTab } from "./criteria-tab.tsx";
import { DiffTab } from "./diff-tab.tsx";
import { LimitsTab } from "./limits-tab.tsx";
import { LogTab } from "./log-tab.tsx";
import { MessagesTab } from "./messages-tab.tsx";
import { PanelHead } from "./panel-head.tsx";
import { ReturnTab } from "./return-tab.tsx";
import type { TabProps } from "./tab-props.ts";
import { TodoTab } from "./todo-tab.tsx";

interface TabEntry {
  readonly id: string;
  readonly name: string;
  readonly Content: (props: TabProps) => ReactNode;
  /** Shown next to the name. */
  readonly count?: (detail: DelegationDetail) => number;
}

const tabs: readonly TabEntry[] = [
  { id: "log", name: "Log", Content: LogTab },
  { id: "diff", name: "Diff", Content: DiffTab, count: ({ filesChanged }) => filesChanged.length },
  { id: "criteria", name: "Criteria", Content: CriteriaTab, count: ({ criteria }) => criteria.length },
  { id: "return", name: "Return", Content: ReturnTab },
  { id: "todos", name: "Todo", Content: TodoTab, count: ({ todos }) => todos.length },
  { id: "messages", name: "Messages", Content: MessagesTab, count: ({ messages }) => messages.length },
  { id: "cost", name: "Cost", Content: CostTab },
  { id: "limits", name: "Limits", Content: LimitsTab },
];

/** Everything about one delegation, next to the view in which it was chosen. */
export function Panel({ id, tab }: { readonly id: string; readonly tab: string }) {
  const url = `/api/delegations/${encodeURIComponent(id)}`;
  const fields = ["node", "can", "attempts"] as const;
  const version = useTouched(id);
  const { answer, problem, reload } = useAnswer<DelegationDetail>({ url, fields, version });
  const heading = useRef<HTMLHeadingElement>(null);
  const isLoaded = answer !== undefined;
  useEffect(() => {
    if (isLoaded) heading.current?.focus({ preventScroll: true });
  }, [isLoaded]);
  const chosen = tabs.some((one) => one.id === tab) ? tab : "log";
  return (
    <aside
      className="panel"
      aria-label="Delegation"
      onKeyDown={(event) => {
        if (event.key === "Escape" && !event.defaultPrevented) closePanel(id);
      }}
    >
      {problem === undefined ? null : <ProblemNote problem={problem} onRetry={reload} />}
      {answer === undefined ? (
        <>
          {problem === undefined ? <Loading what="the delegation" /> : null}
          <button type="button" className="button" onClick={() => closePanel(id)}>
            Close
          </button>
        </>
      ) : (
        <>
          <PanelHead detail={answer} heading={heading} onClose={() => closePanel(id)} />
          <PanelTabs detail={answer} chosen={chosen} />
        </>
      )}
    </aside>
  );
}

/** The focus goes back to where the panel was opened from. */
function closePanel(id: string): void {
  goTo(withPanel(null));
  const opener = [...document.querySelectorAll<HTMLElement>("[data-id]")].find(
    ({ dataset }) => dataset["id"] === id,
  );
  (opener ?? document.querySelector<HTMLElement>("#main"))?.focus();
}

function PanelTabs({ detail, chosen }: TabProps & { readonly chosen: string }) {
  // Few delegations have a task list; the others get no empty tab.
  const shown = tabs.filter(({ id }) => id !== "todos" || id === chosen || detail.todos.length > 0);
  return (
    <Tabs
      className="tabs"
      selectedKey={chosen}
      onSelectionChange={(key) => goTo(withPanel(detail.node.id, String(key)), { replace: true })}
    >
      <TabList className="tab-list" aria-label="About this delegation">
        {shown.map(({ id, name, count }) => (
          <Tab key={id} id={id} className="tab">
            {name}
            {count === undefined || count(detail) === 0 ? null : (
              <span className="quiet numbers"> {count(detail)}</span>
            )}
          </Tab>
        ))}
      </TabList>
      {shown.map(({ id, Content }) => (
        <TabPanel key={id} id={id} className="tab-panel">
          <Content detail={detail} />
        </TabPanel>
      ))}
    </Tabs>
  );
}
