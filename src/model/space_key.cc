// Key texts read back (product document, 4.2).

#include "model/key_reader.h"
#include "model/space.h"

namespace retrofill {

Result<Partition> PartitionSpace::ParseKey(std::string_view text) const {
  RF_ASSIGN(const std::vector<KeyToken> tokens, LexKeyWord(text));
  RF_ASSIGN(const KeyPiece piece, ReadKey(text, tokens, *this));
  if (piece.cells.size() != 1 || piece.cells[0].end - piece.cells[0].first != 1) {
    return Fail(ErrorCode::kInvalid, "P0109", "`{}` names more than one partition", text)
        .Help("name a value of each dimension");
  }
  if (grid_ && grid_->Containing(piece.interval.start) != piece.interval) {
    return Fail(ErrorCode::kInvalid, "P0104", "`{}` is not one partition by {}", text, grid_->by())
        .Help(
            fmt::format("the partition at its start is `{}`",
                        KeyText({grid_->Containing(piece.interval.start), piece.cells[0].first})));
  }
  return Partition{piece.interval, piece.cells[0].first};
}

}  // namespace retrofill
