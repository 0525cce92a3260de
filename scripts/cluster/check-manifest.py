#!/usr/bin/env python3
"""check-manifest.py MANIFEST DIRECTORY: checks a Kubernetes manifest of ours against the form
of batch/v1 and v1 (the part of it that we use; a field that is not in it is an error),
writes the files of its ConfigMap into DIRECTORY, and prints the words of the container's
command, each ended by a zero byte."""

import pathlib
import sys

import jsonschema
import yaml


def thing(required, **properties):
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def items(of, least=1):
    return {"type": "array", "items": of, "minItems": least}


TEXT = {"type": "string", "minLength": 1}
NAME = {"type": "string", "pattern": "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", "maxLength": 63}
COUNT = {"type": "integer", "minimum": 0}
QUANTITY = {"type": "string", "pattern": "^[0-9]+(m|Ki|Mi|Gi)?$"}
RESOURCES = thing([], cpu=QUANTITY, memory=QUANTITY)
METADATA = thing(["name"], name=NAME)

CONFIG_MAP = thing(
    ["apiVersion", "kind", "metadata", "data"],
    apiVersion={"const": "v1"},
    kind={"const": "ConfigMap"},
    metadata=METADATA,
    data={"type": "object", "additionalProperties": {"type": "string"}},
)

CONTAINER = thing(
    ["name", "image", "command", "volumeMounts"],
    name=NAME,
    image=TEXT,
    command=items(TEXT),
    resources=thing([], requests=RESOURCES, limits=RESOURCES),
    volumeMounts=items(thing(["name", "mountPath"], name=NAME, mountPath=TEXT)),
)

VOLUME = {
    "type": "object",
    "minProperties": 2,
    "maxProperties": 2,
    "required": ["name"],
    "additionalProperties": False,
    "properties": {
        "name": NAME,
        "configMap": thing(["name"], name=NAME),
        "emptyDir": {"type": "object", "maxProperties": 0},
        "persistentVolumeClaim": thing(["claimName"], claimName=NAME),
    },
}

# Exactly one of the two conditions, as the API demands.
RULE = {
    "oneOf": [
        thing(
            ["action", "onPodConditions"],
            action={"enum": ["Ignore", "FailJob", "Count"]},
            onPodConditions=items(thing(["type", "status"], type=TEXT, status=TEXT)),
        ),
        thing(
            ["action", "onExitCodes"],
            action={"enum": ["Ignore", "FailJob", "Count"]},
            onExitCodes=thing(
                ["operator", "values"],
                operator={"enum": ["In", "NotIn"]},
                values=items({"type": "integer", "minimum": 1, "maximum": 255}),
            ),
        ),
    ]
}

JOB = thing(
    ["apiVersion", "kind", "metadata", "spec"],
    apiVersion={"const": "batch/v1"},
    kind={"const": "Job"},
    metadata=METADATA,
    spec=thing(
        ["template"],
        completionMode={"enum": ["Indexed", "NonIndexed"]},
        completions=COUNT,
        parallelism=COUNT,
        backoffLimit=COUNT,
        podFailurePolicy=thing(["rules"], rules=items(RULE)),
        template=thing(
            ["spec"],
            spec=thing(
                ["restartPolicy", "containers"],
                # A podFailurePolicy allows no other.
                restartPolicy={"const": "Never"},
                terminationGracePeriodSeconds=COUNT,
                containers=items(CONTAINER),
                volumes=items(VOLUME),
            ),
        ),
    ),
)


def main():
    manifest, directory = sys.argv[1:]
    with open(manifest, encoding="utf-8") as text:
        for document in yaml.safe_load_all(text):
            is_map = document.get("kind") == "ConfigMap"
            jsonschema.validate(document, CONFIG_MAP if is_map else JOB)
            if is_map:
                for name, content in document["data"].items():
                    pathlib.Path(directory, name).write_text(content, encoding="utf-8")
                continue
            pod = document["spec"]["template"]["spec"]
            (container,) = pod["containers"]
            volumes = {volume["name"] for volume in pod["volumes"]}
            mounts = {mount["name"] for mount in container["volumeMounts"]}
            assert volumes == mounts, f"volumes {volumes}, mounts {mounts}"
            sys.stdout.write("".join(word + "\0" for word in container["command"]))


main()
