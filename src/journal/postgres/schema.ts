import { gatesMigration, outputMigration } from "./board-schema.ts";
import { leadershipMigration } from "./leadership-schema.ts";
import { nodesMigration, protocolMigration } from "./nodes-schema.ts";

/**
 * The journal's tables in PostgreSQL. Events are appended by one function that recomputes the chain, so that no machine with
 * the worker's role can rewrite, skip or invent history. `json`, never `jsonb`, which refuses escaped NUL characters.
 */
export const clusterMigrations: readonly string[] = [
  `
CREATE TABLE ambit.head (
  project text PRIMARY KEY,
  seq bigint NOT NULL,
  hash text NOT NULL,
  machine text,
  machine_name text
);
CREATE TABLE ambit.events (
  project text NOT NULL REFERENCES ambit.head (project),
  seq bigint NOT NULL,
  body text NOT NULL,
  hash text NOT NULL,
  PRIMARY KEY (project, seq)
);
CREATE TABLE ambit.leases (
  project text NOT NULL REFERENCES ambit.head (project),
  delegation text NOT NULL,
  attempt integer NOT NULL,
  owner text NOT NULL,
  expires_ms double precision NOT NULL,
  PRIMARY KEY (project, delegation)
);

CREATE FUNCTION ambit.now_ms() RETURNS double precision LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp AS
  $$ SELECT (extract(epoch FROM clock_timestamp()) * 1000)::double precision $$;

CREATE FUNCTION ambit.lock_head(p_project text)
  RETURNS TABLE (seq double precision, hash text, now_ms double precision)
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN QUERY SELECT h.seq::double precision, h.hash, ambit.now_ms()
    FROM ambit.head h WHERE h.project = p_project FOR UPDATE;
END $$;

CREATE FUNCTION ambit.claim(p_project text, p_machine text, p_name text, p_how text)
  RETURNS TABLE (machine text, machine_name text)
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE ambit.head h SET machine = p_machine, machine_name = p_name
    WHERE h.project = p_project AND (p_how = 'take' OR (p_how = 'ask' AND h.machine IS NULL));
  UPDATE ambit.head h SET machine = NULL, machine_name = NULL
    WHERE h.project = p_project AND p_how = 'leave' AND h.machine = p_machine;
  RETURN QUERY SELECT h.machine, h.machine_name FROM ambit.head h WHERE h.project = p_project;
END $$;

CREATE FUNCTION ambit.append(p_project text, p_batch json) RETURNS void
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_seq bigint;
  v_hash text;
  v_event json;
  v_body text;
  v_machine text;
BEGIN
  SELECT h.seq, h.hash, h.machine INTO v_seq, v_hash, v_machine
    FROM ambit.head h WHERE h.project = p_project FOR UPDATE;
  IF p_batch->>'machine' IS NOT NULL AND v_machine IS DISTINCT FROM p_batch->>'machine' THEN
    RAISE EXCEPTION 'another machine runs this project now' USING ERRCODE = 'AM403';
  END IF;
  IF v_seq IS DISTINCT FROM (p_batch->>'after')::bigint THEN
    RAISE EXCEPTION 'the journal does not end there' USING ERRCODE = 'AM409';
  END IF;
  FOR v_event IN SELECT value FROM json_array_elements(p_batch->'events') LOOP
    v_body := v_event->>'body';
    v_seq := v_seq + 1;
    v_hash := encode(sha256(convert_to(v_hash || chr(10) || v_body, 'UTF8')), 'hex');
    IF v_hash IS DISTINCT FROM v_event->>'hash' OR (v_body::json->>'seq')::bigint IS DISTINCT FROM v_seq THEN
      RAISE EXCEPTION 'event % does not continue the chain', v_seq USING ERRCODE = 'AM422';
    END IF;
    INSERT INTO ambit.events (project, seq, body, hash) VALUES (p_project, v_seq, v_body, v_hash);
  END LOOP;
  UPDATE ambit.head h SET seq = v_seq, hash = v_hash WHERE h.project = p_project;
  DELETE FROM ambit.leases l WHERE l.project = p_project
    AND l.delegation IN (SELECT value FROM json_array_elements_text(p_batch->'ended'));
  INSERT INTO ambit.leases (project, delegation, attempt, owner, expires_ms)
    SELECT p_project, b.delegation, b.attempt, b.owner, b.expires
    FROM json_to_recordset(p_batch->'leases') AS b(delegation text, attempt integer, owner text, expires double precision)
    ON CONFLICT (project, delegation) DO UPDATE
      SET attempt = excluded.attempt, owner = excluded.owner, expires_ms = excluded.expires_ms;
  PERFORM pg_notify('ambit', p_project || ' ' || v_seq);
END $$;

CREATE FUNCTION ambit.beat(p_project text, p_beats json, p_now double precision) RETURNS SETOF text
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  UPDATE ambit.leases l SET expires_ms = coalesce(p_now, ambit.now_ms()) + b.lease
    FROM json_to_recordset(p_beats) AS b(delegation text, attempt integer, lease double precision)
    WHERE l.project = p_project AND l.delegation = b.delegation AND l.attempt = b.attempt
      AND l.expires_ms >= coalesce(p_now, ambit.now_ms())
    RETURNING l.delegation
$$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA ambit FROM PUBLIC;
GRANT USAGE ON SCHEMA ambit TO ambit_worker, ambit_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA ambit TO ambit_worker, ambit_reader;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ambit TO ambit_worker;
GRANT EXECUTE ON FUNCTION ambit.now_ms() TO ambit_reader;
`,
  `
CREATE TABLE ambit.nodes (
  project text NOT NULL REFERENCES ambit.head (project),
  name text NOT NULL,
  machine text NOT NULL,
  incarnation text NOT NULL,
  slots integer NOT NULL,
  used integer NOT NULL,
  draining boolean NOT NULL,
  version text NOT NULL,
  seen_ms double precision NOT NULL,
  PRIMARY KEY (project, name)
);

CREATE FUNCTION ambit.announce(p_project text, p_node json, p_alive double precision) RETURNS boolean
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_count integer;
BEGIN
  INSERT INTO ambit.nodes AS n (project, name, machine, incarnation, slots, used, draining, version, seen_ms)
    SELECT p_project, b.name, b.machine, b.incarnation, b.slots, b.used, b.draining, b.version, ambit.now_ms()
    FROM json_to_record(p_node) AS b(name text, machine text, incarnation text, slots integer, used integer,
      draining boolean, version text)
    ON CONFLICT (project, name) DO UPDATE
      SET machine = excluded.machine, incarnation = excluded.incarnation, slots = excluded.slots, used = excluded.used,
        draining = excluded.draining, version = excluded.version, seen_ms = excluded.seen_ms
      WHERE n.machine = excluded.machine OR n.seen_ms < ambit.now_ms() - p_alive;
  GET DIAGNOSTICS v_count = ROW_COUNT;
  RETURN v_count = 1;
END $$;

CREATE FUNCTION ambit.depart(p_project text, p_name text, p_incarnation text) RETURNS void
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DELETE FROM ambit.nodes n WHERE n.project = p_project AND n.name = p_name AND n.incarnation = p_incarnation
$$;

CREATE FUNCTION ambit.release(p_project text, p_delegation text, p_attempt integer) RETURNS void
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DELETE FROM ambit.leases l WHERE l.project = p_project AND l.delegation = p_delegation AND l.attempt = p_attempt
$$;

REVOKE ALL ON FUNCTION ambit.announce(text, json, double precision), ambit.depart(text, text, text),
  ambit.release(text, text, integer) FROM PUBLIC;
GRANT SELECT ON ambit.nodes TO ambit_worker, ambit_reader;
GRANT EXECUTE ON FUNCTION ambit.announce(text, json, double precision), ambit.depart(text, text, text),
  ambit.release(text, text, integer) TO ambit_worker;
`,
  leadershipMigration,
  nodesMigration,
  protocolMigration,
  outputMigration,
  gatesMigration,
];

export const clusterVersion: number = clusterMigrations.length;
