// SPDX-License-Identifier: Apache-2.0
// Scenes, as UKbench has them: folders of four pictures of one thing, and the N-S score, which is
// how many of the four nearest to a picture, itself among them, are of its folder, on the average.
//
// FOLDER has a folder for each scene.  The features of networks are compared by their Euclidean
// distance, codes by the bits that differ.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/bit_code.h"
#include "feature/siamese_print.h"
#include "twinsift/media.h"
#include "verify/picture_detector.h"

namespace twinsift::bench {
namespace {

struct Scene {
  std::string path;
  std::size_t scene = 0;
};

std::vector<Scene> read_scenes(const std::string& folder) {
  std::vector<std::string> folders;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.is_directory()) folders.push_back(entry.path());
  }
  std::ranges::sort(folders);
  std::vector<Scene> scenes;
  for (std::size_t i = 0; i < folders.size(); ++i) {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folders[i])) {
      files.push_back(entry.path());
    }
    std::ranges::sort(files);
    if (files.size() != 4) continue;
    for (const std::string& file : files) scenes.push_back({file, i});
  }
  return scenes;
}

// By a distance of two pictures; of equally near ones the first.
double ns_score(const std::vector<Scene>& scenes,
                const std::function<double(std::size_t, std::size_t)>& distance) {
  double sum = 0;
  for (std::size_t q = 0; q < scenes.size(); ++q) {
    std::vector<std::pair<double, std::size_t>> near;
    for (std::size_t i = 0; i < scenes.size(); ++i) near.emplace_back(distance(q, i), i);
    std::ranges::partial_sort(near, near.begin() + 4);
    for (std::size_t k = 0; k < 4; ++k) sum += scenes[near[k].second].scene == scenes[q].scene;
  }
  return sum / double(scenes.size());
}

int run(const std::vector<Scene>& scenes, const std::string& kind) {
  const auto medium = make_image_media(kind);
  const auto detector = make_picture_detector(kind);
  if (!medium || !detector) {
    fmt::print(stderr, "{}: {}\n", kind, (medium ? detector.error() : medium.error()).message);
    return 2;
  }
  std::vector<PictureLook> looks;
  std::vector<std::vector<float>> features;
  for (const Scene& scene : scenes) {
    std::ifstream in(scene.path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    const auto description = (*medium)->extract({scene.path, std::as_bytes(std::span(bytes))});
    if (!description) {
      fmt::print(stderr, "{}: {}\n", scene.path, description.error().message);
      return 2;
    }
    const auto& packed = std::get<Packed>(description->features.at(0).value);
    looks.push_back(*(*detector)->look(packed));
    if (kind.starts_with("siamese:")) features.push_back(unpack_siamese_print(packed)->features);
  }
  fmt::print("{:<50} codes {:.3f}", kind, ns_score(scenes, [&](std::size_t a, std::size_t b) {
               return double(hamming_distance(looks[a].codes[0], looks[b].codes[0]));
             }));
  if (!features.empty()) {
    fmt::print("  features {:.3f}", ns_score(scenes, [&](std::size_t a, std::size_t b) {
                 double sum = 0;
                 for (std::size_t i = 0; i < features[a].size(); ++i) {
                   const double difference = double(features[a][i]) - double(features[b][i]);
                   sum += difference * difference;
                 }
                 return sum;
               }));
  }
  fmt::print("\n");
  return 0;
}

}  // namespace
}  // namespace twinsift::bench

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: bench_scenes FOLDER [MODEL]...\n", stderr);
    return 2;
  }
  const auto scenes = twinsift::bench::read_scenes(argv[1]);
  fmt::print("{} pictures of {} scenes; N-S score, 4 at best\n", scenes.size(), scenes.size() / 4);
  int status = scenes.size() < 8 ? 2 : 0;
  std::vector<std::string> kinds = {"gist", "pdq"};
  for (int i = 2; i < argc; ++i) kinds.push_back(fmt::format("siamese:{}", argv[i]));
  for (const std::string& kind : kinds) {
    if (status == 0) status = twinsift::bench::run(scenes, kind);
  }
  return status;
}
