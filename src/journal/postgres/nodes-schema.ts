/** Machines belong to a pool, can be asked to leave, and their names can be closed. */
export const nodesMigration = `
ALTER TABLE ambit.nodes ADD COLUMN pool text NOT NULL DEFAULT 'default', ADD COLUMN wish text,
  ADD COLUMN closed boolean NOT NULL DEFAULT false;

CREATE OR REPLACE FUNCTION ambit.announce(p_project text, p_node json, p_alive double precision) RETURNS boolean
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_count integer;
BEGIN
  INSERT INTO ambit.nodes AS n (project, name, machine, incarnation, slots, used, draining, version, seen_ms, pool)
    SELECT p_project, b.name, b.machine, b.incarnation, b.slots, b.used, b.draining, b.version, ambit.now_ms(),
      coalesce(b.pool, 'default')
    FROM json_to_record(p_node) AS b(name text, machine text, incarnation text, slots integer, used integer,
      draining boolean, version text, pool text)
    ON CONFLICT (project, name) DO UPDATE
      SET machine = excluded.machine, incarnation = excluded.incarnation, slots = excluded.slots, used = excluded.used,
        draining = excluded.draining, version = excluded.version, seen_ms = excluded.seen_ms, pool = excluded.pool,
        wish = CASE WHEN n.incarnation = excluded.incarnation THEN n.wish END
      WHERE NOT n.closed AND (n.machine = excluded.machine OR n.seen_ms < ambit.now_ms() - p_alive);
  GET DIAGNOSTICS v_count = ROW_COUNT;
  RETURN v_count = 1;
END $$;

CREATE OR REPLACE FUNCTION ambit.depart(p_project text, p_name text, p_incarnation text) RETURNS void
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DELETE FROM ambit.nodes n
    WHERE n.project = p_project AND n.name = p_name AND n.incarnation = p_incarnation AND NOT n.closed
$$;

CREATE FUNCTION ambit.ask_node(p_project text, p_name text, p_wish text) RETURNS boolean
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_count integer;
BEGIN
  UPDATE ambit.nodes n SET wish = p_wish, closed = (p_wish = 'remove')
    WHERE n.project = p_project AND n.name = p_name;
  GET DIAGNOSTICS v_count = ROW_COUNT;
  RETURN v_count = 1;
END $$;

REVOKE ALL ON FUNCTION ambit.ask_node(text, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ambit.ask_node(text, text, text) TO ambit_worker;
`;

/** Machines announce what they can do for a coordinator, and a later request does not open a closed name again. */
export const protocolMigration = `
ALTER TABLE ambit.nodes ADD COLUMN protocol integer NOT NULL DEFAULT 0;

CREATE OR REPLACE FUNCTION ambit.announce(p_project text, p_node json, p_alive double precision) RETURNS boolean
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_count integer;
BEGIN
  INSERT INTO ambit.nodes AS n (project, name, machine, incarnation, slots, used, draining, version, seen_ms, pool, protocol)
    SELECT p_project, b.name, b.machine, b.incarnation, b.slots, b.used, b.draining, b.version, ambit.now_ms(),
      coalesce(b.pool, 'default'), coalesce(b.protocol, 0)
    FROM json_to_record(p_node) AS b(name text, machine text, incarnation text, slots integer, used integer,
      draining boolean, version text, pool text, protocol integer)
    ON CONFLICT (project, name) DO UPDATE
      SET machine = excluded.machine, incarnation = excluded.incarnation, slots = excluded.slots, used = excluded.used,
        draining = excluded.draining, version = excluded.version, seen_ms = excluded.seen_ms, pool = excluded.pool,
        protocol = excluded.protocol,
        wish = CASE WHEN n.incarnation = excluded.incarnation THEN n.wish END
      WHERE NOT n.closed AND (n.machine = excluded.machine OR n.seen_ms < ambit.now_ms() - p_alive);
  GET DIAGNOSTICS v_count = ROW_COUNT;
  RETURN v_count = 1;
END $$;

CREATE OR REPLACE FUNCTION ambit.ask_node(p_project text, p_name text, p_wish text) RETURNS boolean
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_count integer;
BEGIN
  UPDATE ambit.nodes n SET wish = p_wish, closed = (p_wish = 'remove')
    WHERE n.project = p_project AND n.name = p_name AND NOT n.closed;
  GET DIAGNOSTICS v_count = ROW_COUNT;
  RETURN v_count = 1;
END $$;
`;
